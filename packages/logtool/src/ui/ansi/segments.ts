import { type AnsiStyle, applySgr, PLAIN } from './sgr.ts';

/**
 * A part of a line as it is drawn. `start` and `end` are UTF-16 offsets in the text without SGR sequences, as searching
 * counts them; where `text` is longer or shorter, it stands for a control character.
 */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly style: AnsiStyle;
  /** A control character, shown in letters. */
  readonly isControl: boolean;
}

/** SGR and erase-in-line: these are what searching leaves out. */
const COLOUR = String.raw`\x1b\[([0-9:;]*)([mK])`;
/**
 * Other control sequences: a screen acts on them, a log does not. Those with parameters, commands to the operating
 * system (titles, links) and to devices, character sets (`tput sgr0` sends one), keypad and cursor modes.
 */
const SEQUENCE = [
  String.raw`\x1b\[[\x30-\x3f]{0,64}[\x20-\x2f]{0,8}[\x40-\x7e]`,
  String.raw`\x1b\][^\x07\x1b]{0,2048}(?:\x07|\x1b\\)`,
  String.raw`\x1b[PX^_][^\x1b]{0,2048}\x1b\\`,
  String.raw`\x1b[()*+][0-9A-Z]`,
  String.raw`\x1b[78=>]`,
].join('|');
/**
 * What would act on the page or deceive the eye: control characters, line ends, marks that turn the direction, and what
 * takes no room (the joiners of scripts and emoji apart, which are part of what is seen).
 */
const CONTROL = String.raw`[\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]`;
const SPECIAL = new RegExp(`${COLOUR}|(${SEQUENCE})|${CONTROL}`, 'g');
const ESCAPE = '\x1b';
const LONGEST_SEQUENCE_UNITS = 2_052;
/** Stands for a line of which nothing was seen as far as it was looked at. */
const ELLIPSIS = '…';
/** No more of a line is looked at for what is seen of it, where it is all of sequences: some hundredths of a second. */
const LIMIT_RAW_UNITS = 524_288;
const MAYBE_SPECIAL = new RegExp(CONTROL);

/**
 * Splits a line into parts of one look each, at most `limitUnits` UTF-16 units of what is seen of it. SGR sequences become styles, other
 * sequences are left out, control characters are shown in letters (`^[`, `\x07`); nothing is ever handed on raw. A line
 * is read once from left to right, in linear time, whatever it holds.
 */
export function splitAnsi(line: string, limitUnits = Number.POSITIVE_INFINITY): readonly Segment[] {
  const short = cut(line, limitUnits);
  // Sequences take no room: with them a line is longer than what is seen of it.
  const text = short.includes(ESCAPE) ? cutOutside(line, Math.max(limitUnits, LIMIT_RAW_UNITS)) : short;
  if (!MAYBE_SPECIAL.test(text)) {
    return text === '' ? [] : [{ start: 0, end: text.length, text, style: PLAIN, isControl: false }];
  }
  const segments: Segment[] = [];
  let style = PLAIN;
  let from = 0;
  let plain = 0;
  const push = (part: string, units: number, isControl: boolean) => {
    if (part !== '') segments.push({ start: plain, end: plain + units, text: part, style, isControl });
    plain += units;
  };
  const pushText = (part: string) => {
    const whole = cut(part, limitUnits - plain);
    push(whole, whole.length, false);
    if (whole.length < part.length) plain = limitUnits;
  };
  for (const match of text.matchAll(SPECIAL)) {
    const [found, parameters, final, sequence] = match;
    pushText(text.slice(from, match.index));
    if (plain >= limitUnits) return segments;
    from = match.index + found.length;
    if (final === 'm') style = applySgr(style, parameters ?? '');
    else if (final === 'K') continue;
    else if (sequence !== undefined) plain += found.length;
    else if (found === '\r' && from === line.length) plain += 1;
    else push(visible(found), 1, true);
  }
  pushText(text.slice(from));
  if (segments.length === 0 && text.length < line.length) push(ELLIPSIS, 1, true);
  return segments;
}

/** So many units at most, never to the middle of a surrogate pair. */
function cut(line: string, units: number): string {
  if (line.length <= units) return line;
  const code = line.charCodeAt(units - 1);
  return line.slice(0, code >= 0xd800 && code <= 0xdbff ? units - 1 : units);
}

/** As `cut`, not in the middle of a sequence either: the rest of it would be read as text. */
function cutOutside(line: string, units: number): string {
  const text = cut(line, units);
  if (text.length === line.length) return text;
  const last = text.lastIndexOf(ESCAPE);
  return last > text.length - LONGEST_SEQUENCE_UNITS ? text.slice(0, last) : text;
}

function visible(character: string): string {
  if (character === '\x1b') return '^[';
  if (character === '\r') return '\\r';
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
