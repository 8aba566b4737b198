import type { SecretSpan } from './secret-kinds.ts';

/** A text with its escapes decoded, and where each part of it stands in the original text. */
export interface DecodedText {
  readonly text: string;
  /** Returns the range of the original text that a range of the decoded text was written as. */
  readonly original: (span: SecretSpan) => SecretSpan;
}

/** One escape, in UTF-16 units. */
interface Escape {
  /** Where its decoded character begins and ends; a removed one has no length. */
  readonly at: number;
  readonly until: number;
  /** Where it begins and ends in the text before. */
  readonly start: number;
  readonly end: number;
}

/**
 * Strings of JSON, JavaScript, Go and Python (RFC 8259, 7; ECMA-262, 12.9.4; Go specification, "String literals"),
 * URLs (RFC 3986, 2.1; characters of UTF-8 as a whole), HTML's few characters that every encoder writes, and color codes (ECMA-48, 5.4).
 * Every repetition is bounded, so that a search takes time in proportion to the text.
 */
const ESCAPES =
  /\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|([0-3][0-7]{2})|([abefnrtv0]|[^\w\s]))|%(?:[CDcd][0-9A-Fa-f]%[89ABab][0-9A-Fa-f]|[Ee][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){2})|%([0-9A-Fa-f]{2})|&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(amp|quot|lt|gt|apos));|\x1b\[[0-9;:?]{0,32}[@-~]/g;
const COLOR = '\x1b[';
/** Cheaper than the pattern: most lines have none of them. */
const BEGINNINGS = ['\\', '%', '&', COLOR];
/**
 * JSON in JSON in a quoted field, with a URL inside, has four levels. The number is bounded, because each level costs
 * another search.
 */
const MAX_LEVELS = 5;

const LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  0: '\0',
};
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', apos: "'" };

/**
 * Returns what a text may say once its escapes are decoded: one level of them, two, and so on until none is left. A
 * color code may separate two words or lie within one, and `+` may be the space of a form: texts with these are read in
 * both ways.
 */
export function decodedTexts(text: string): readonly DecodedText[] {
  const joined = levelsOf(text, '');
  const isColored = [text, ...joined.map((level) => level.text)].some((level) => level.includes(COLOR));
  const isForm = text.includes('+') && /%[0-9A-Fa-f]{2}/.test(text);
  return [
    ...joined,
    ...(isColored ? levelsOf(text, ' ') : []),
    ...(isForm ? levelsOf(text.replaceAll('+', ' '), '').slice(0, 1) : []),
  ];
}

function levelsOf(text: string, color: string): readonly DecodedText[] {
  const levels: DecodedText[] = [];
  let level: DecodedText | undefined = { text, original: (span) => span };
  while (levels.length < MAX_LEVELS) {
    level = decodeOnce(level, color);
    if (level === undefined) break;
    levels.push(level);
  }
  return levels;
}

function decodeOnce({ text, original }: DecodedText, color: string): DecodedText | undefined {
  if (!BEGINNINGS.some((beginning) => text.includes(beginning))) return undefined;
  const escapes: Escape[] = [];
  let decoded = '';
  let end = 0;
  for (const match of text.matchAll(ESCAPES)) {
    decoded += text.slice(end, match.index);
    end = match.index + match[0].length;
    const at = decoded.length;
    decoded += match[0].startsWith(COLOR) ? color : characterOf(match);
    escapes.push({ at, until: decoded.length, start: match.index, end });
  }
  if (escapes.length === 0) return undefined;
  return {
    text: decoded + text.slice(end),
    original: (span) =>
      original({ ...span, start: startOf(span.start, escapes), end: endOf(span.end, escapes) }),
  };
}

function characterOf(match: RegExpExecArray): string {
  const [whole, braced, short, long, byte, octal, letter, percent, decimal, hex, entity] = match;
  if (whole.startsWith('%') && percent === undefined) return decodedUtf8(whole);
  if (letter !== undefined) return LETTERS[letter] ?? letter;
  if (entity !== undefined) return ENTITIES[entity] ?? '';
  if (octal !== undefined) return character(Number.parseInt(octal, 8));
  if (decimal !== undefined) return character(Number(decimal));
  return character(Number.parseInt(braced ?? short ?? long ?? byte ?? percent ?? hex ?? '', 16));
}

/** Bytes that are no UTF-8 stand for a character that no secret has. */
function decodedUtf8(percents: string): string {
  try {
    return decodeURIComponent(percents);
  } catch {
    return '\0';
  }
}

/** A code that is no character stands for one that no secret has. */
function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\0';
}

/** A range begins after the color codes at its start. */
function startOf(position: number, escapes: readonly Escape[]): number {
  const last = escapes[countWhile(escapes, ({ until }) => until <= position) - 1];
  return last === undefined ? position : last.end + position - last.until;
}

/** A range ends before the color codes at its end, and covers the last escape as a whole. */
function endOf(position: number, escapes: readonly Escape[]): number {
  const last = escapes[countWhile(escapes, ({ at }) => at < position) - 1];
  return last === undefined ? position : last.end + Math.max(0, position - last.until);
}

/** Counts the escapes at the beginning that pass; after the first that fails all fail. */
function countWhile(escapes: readonly Escape[], passes: (each: Escape) => boolean): number {
  let [low, high] = [0, escapes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(escapes[middle] as Escape)) low = middle + 1;
    else high = middle;
  }
  return low;
}
