import { type AnsiStyle, applySgr, PLAIN } from './sgr.ts';

/**
 * A part of a line as drawn. `start` and `end` are UTF-16 offsets in the text without SGR sequences, as
 * searching counts them. If `text` has another length, it represents a control character.
 */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly style: AnsiStyle;
  /** A control character, shown as an escape. */
  readonly isControl: boolean;
  /** The segment represents its whole range: a hit in any part marks all of it. The range may be empty. */
  readonly isWhole?: boolean;
}

/** SGR and erase-in-line; searching ignores these. */
const COLOR = String.raw`\x1b\[([0-9:;]*)([mK])`;
/**
 * Other control sequences; a screen acts on them, a log does not. These are sequences with parameters,
 * commands to the operating system (titles, links) and to devices, character sets (`tput sgr0` sends one),
 * keypad and cursor modes.
 */
const SEQUENCE = [
  String.raw`\x1b\[[\x30-\x3f]{0,64}[\x20-\x2f]{0,8}[\x40-\x7e]`,
  String.raw`\x1b\][^\x07\x1b]{0,2048}(?:\x07|\x1b\\)`,
  String.raw`\x1b[PX^_][^\x1b]{0,2048}\x1b\\`,
  String.raw`\x1b[()*+][0-9A-Z]`,
  String.raw`\x1b[78=>]`,
].join('|');
/**
 * Characters that would affect the page or mislead the reader: control characters, line ends, direction
 * marks, and characters without width. The joiners of scripts and emoji are not included: they affect what
 * users see.
 */
const CONTROL = String.raw`[\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]`;
const SPECIAL = new RegExp(`${COLOR}|(${SEQUENCE})|${CONTROL}`, 'g');
const ESCAPE = '\x1b';
const MAX_SEQUENCE_UNITS = 2_052;
/** Marks a line whose examined part has no visible text. */
const ELLIPSIS = '…';
/**
 * If a line has only sequences, at most this much is examined for visible text; it takes some hundredths of a
 * second.
 */
const MAX_RAW_UNITS = 524_288;
const MAYBE_SPECIAL = new RegExp(CONTROL);

/**
 * Splits a line into parts of one style each, at most `limitUnits` UTF-16 units of visible text. SGR
 * sequences become styles, other sequences are dropped, control characters become escapes (`^[`, `\x07`).
 * Never returns a raw control character. Reads any line once from left to right, in linear time.
 */
export function splitAnsi(line: string, limitUnits = Number.POSITIVE_INFINITY): readonly Segment[] {
  const short = cut(line, limitUnits);
  // Sequences are not visible: a line with them is longer than its visible text.
  const text = short.includes(ESCAPE) ? cutOutside(line, Math.max(limitUnits, MAX_RAW_UNITS)) : short;
  if (!MAYBE_SPECIAL.test(text)) {
    return text === '' ? [] : [{ start: 0, end: text.length, text, style: PLAIN, isControl: false }];
  }
  const splitter = new Splitter(limitUnits);
  let from = 0;
  for (const match of text.matchAll(SPECIAL)) {
    splitter.addText(text.slice(from, match.index));
    if (splitter.isFull) return splitter.segments;
    from = match.index + match[0].length;
    splitter.addSpecial(match, from === line.length);
  }
  splitter.addText(text.slice(from));
  if (splitter.segments.length === 0 && text.length < line.length) splitter.addControl(ELLIPSIS);
  return splitter.segments;
}

/** Builds the segments of a line from left to right. */
class Splitter {
  readonly segments: Segment[] = [];
  readonly #limitUnits: number;
  #style = PLAIN;
  /** Offset in the text without SGR sequences. */
  #units = 0;

  constructor(limitUnits: number) {
    this.#limitUnits = limitUnits;
  }

  get isFull(): boolean {
    return this.#units >= this.#limitUnits;
  }

  addText(text: string): void {
    const whole = cut(text, this.#limitUnits - this.#units);
    this.#add(whole, whole.length, false);
    if (whole.length < text.length) this.#units = this.#limitUnits;
  }

  /**
   * Adds a match of SPECIAL. A carriage return at the end of a line is not shown: it belongs to the line's
   * end.
   */
  addSpecial([found, parameters, final, sequence]: RegExpExecArray, isLast: boolean): void {
    if (final === 'm') this.#style = applySgr(this.#style, parameters ?? '');
    else if (final === 'K') return;
    else if (sequence !== undefined) this.#units += found.length;
    else if (found === '\r' && isLast) this.#units += 1;
    else this.addControl(visible(found));
  }

  /** Adds the visible text of one control character. */
  addControl(text: string): void {
    this.#add(text, 1, true);
  }

  #add(text: string, units: number, isControl: boolean): void {
    const start = this.#units;
    if (text !== '') this.segments.push({ start, end: start + units, text, style: this.#style, isControl });
    this.#units += units;
  }
}

/** Cuts a line to at most this many units, never inside a surrogate pair. */
function cut(line: string, units: number): string {
  if (line.length <= units) return line;
  const code = line.charCodeAt(units - 1);
  return line.slice(0, code >= 0xd800 && code <= 0xdbff ? units - 1 : units);
}

/** Like `cut`, but never inside a sequence: its rest would be read as text. */
function cutOutside(line: string, units: number): string {
  const text = cut(line, units);
  if (text.length === line.length) return text;
  const last = text.lastIndexOf(ESCAPE);
  return last > text.length - MAX_SEQUENCE_UNITS ? text.slice(0, last) : text;
}

function visible(character: string): string {
  if (character === '\x1b') return '^[';
  if (character === '\r') return '\\r';
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
