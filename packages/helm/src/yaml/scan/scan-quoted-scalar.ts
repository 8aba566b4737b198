import { type Cursor, isBlank, isBlankOrEnd, isBreak } from './cursor.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\u001b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

/** The number of digits after `\x`, `\u` and `\U`. */
const CODE_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Reads a quoted scalar from its opening quote. */
export function scanQuotedScalar(cursor: Cursor): string {
  const quote = cursor.is("'") ? "'" : '"';
  cursor.skip();
  let text = '';
  for (;;) {
    if (cursor.isAtDocumentIndicator()) throw cursor.error('found unexpected document indicator');
    if (cursor.unit() === 0) throw cursor.error('found unexpected end of stream');
    const chunk = quote === "'" ? readSingle(cursor) : readDouble(cursor);
    text += chunk.text;
    if (cursor.is(quote)) break;
    text += readSpace(cursor, chunk.isBroken);
  }
  cursor.skip();
  return text;
}

interface Chunk {
  readonly text: string;
  /** Whether an escaped line break ended it. */
  readonly isBroken: boolean;
}

function readSingle(cursor: Cursor): Chunk {
  let text = '';
  while (!isBlankOrEnd(cursor.unit())) {
    if (!cursor.is("'")) {
      text += cursor.readWhile((unit) => unit !== 0x27 && !isBlankOrEnd(unit));
    } else if (cursor.is("'", 1)) {
      text += "'";
      cursor.skip(2);
    } else {
      break;
    }
  }
  return { text, isBroken: false };
}

function readDouble(cursor: Cursor): Chunk {
  let text = '';
  while (!isBlankOrEnd(cursor.unit())) {
    if (cursor.is('"')) break;
    if (!cursor.is('\\')) {
      text += cursor.readWhile((unit) => unit !== 0x22 && unit !== 0x5c && !isBlankOrEnd(unit));
    } else if (isBreak(cursor.unit(1))) {
      cursor.skip();
      cursor.readBreak();
      return { text, isBroken: true };
    } else {
      text += readEscape(cursor);
    }
  }
  return { text, isBroken: false };
}

function readEscape(cursor: Cursor): string {
  const character = String.fromCharCode(cursor.unit(1));
  const plain = ESCAPES.get(character);
  const length = CODE_LENGTHS.get(character);
  if (plain === undefined && length === undefined) throw cursor.error('found unknown escape character');
  cursor.skip(2);
  if (length === undefined) return plain as string;
  const digits = cursor.text.slice(cursor.index, cursor.index + length);
  if (digits.length < length || !/^[\da-fA-F]+$/.test(digits)) {
    throw cursor.error('did not find expected hexdecimal number');
  }
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    throw cursor.error('found invalid Unicode character escape code');
  }
  cursor.skip(length);
  return String.fromCodePoint(code);
}

/** Reads white space: unchanged within a line, folded across line breaks. */
function readSpace(cursor: Cursor, afterBreak: boolean): string {
  let isBroken = afterBreak;
  let blanks = '';
  let first = '';
  let others = '';
  while (isBlank(cursor.unit()) || isBreak(cursor.unit())) {
    if (isBlank(cursor.unit())) {
      const read = cursor.readWhile(isBlank);
      if (!isBroken) blanks += read;
    } else if (isBroken) {
      others += cursor.readBreak();
    } else {
      blanks = '';
      first = cursor.readBreak();
      isBroken = true;
    }
  }
  return isBroken ? foldBreaks(first, others) : blanks;
}

/** Folds line breaks: one becomes a space; of several the first disappears. LS and PS stay. */
export function foldBreaks(first: string, others: string): string {
  if (first === '\n') return others === '' ? ' ' : others;
  return first + others;
}
