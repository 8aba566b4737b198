/** Invalid JSON; the message is that of Go's encoding/json. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** Go's limit. */
const DEPTH_LIMIT = 10_000;
const END = 'unexpected end of JSON input';
const TAKES_SPACE = /^looking|^after (?!decimal)|string literal/;

/**
 * Scans one JSON value and returns the index after it; ignores what follows.
 * @throws JsonSyntaxError worded as https://pkg.go.dev/encoding/json#SyntaxError
 */
export function scanJson(text: string, from = 0): number {
  const open: Bracket[] = [];
  let index = from;
  do index = closeAll(text, scanInnermost(text, index, open), open);
  while (open.length > 0);
  return index;
}

type Bracket = '{' | '[';

const CLOSING: Readonly<Record<Bracket, string>> = { '{': '}', '[': ']' };

/** Skips opening brackets, each with the key of its first value, and then a scalar or an empty collection. */
function scanInnermost(text: string, from: number, open: Bracket[]): number {
  let index = from;
  for (;;) {
    index = skipSpace(text, index);
    const character = text[index];
    if (character !== '{' && character !== '[') return scanScalar(text, index);
    if (open.length === DEPTH_LIMIT) throw new JsonSyntaxError('exceeded max depth');
    index = skipSpace(text, index + 1);
    if (text[index] === CLOSING[character]) return index + 1;
    open.push(character);
    if (character === '{') index = scanKey(text, index);
  }
}

/** Throws unless only white space follows. */
export function expectEndOfJson(text: string, from: number): void {
  const index = skipSpace(text, from);
  if (index < text.length) throw invalid(text, index, 'after top-level value');
}

/** Skips the closing brackets after a value, and the comma and key before the next one. */
function closeAll(text: string, from: number, open: Bracket[]): number {
  let index = from;
  while (open.length > 0) {
    index = skipSpace(text, index);
    const isObject = open.at(-1) === '{';
    if (text[index] === ',') {
      index = skipSpace(text, index + 1);
      return isObject ? scanKey(text, index) : index;
    }
    if (text[index] !== (isObject ? '}' : ']')) {
      throw invalid(text, index, isObject ? 'after object key:value pair' : 'after array element');
    }
    open.pop();
    index++;
  }
  return index;
}

function scanKey(text: string, from: number): number {
  if (text[from] !== '"') throw invalid(text, from, 'looking for beginning of object key string');
  const index = skipSpace(text, scanString(text, from));
  if (text[index] !== ':') throw invalid(text, index, 'after object key');
  return index + 1;
}

function scanScalar(text: string, from: number): number {
  const character = text[from] ?? '';
  if (character === '"') return scanString(text, from);
  if (/[-\d]/.test(character)) return scanNumber(text, from);
  const literal = ['true', 'false', 'null'].find((one) => one[0] === character);
  if (literal === undefined) throw invalid(text, from, 'looking for beginning of value');
  for (let ahead = 1; ahead < literal.length; ahead++) {
    if (text[from + ahead] !== literal[ahead]) {
      throw invalid(text, from + ahead, `in literal ${literal} (expecting '${literal[ahead]}')`);
    }
  }
  return from + literal.length;
}

function scanString(text: string, from: number): number {
  for (let index = from + 1; ; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) return index + 1;
    if (!(unit >= 0x20)) throw invalid(text, index, 'in string literal');
    if (unit !== 0x5c) continue;
    index = scanEscape(text, index + 1);
  }
}

/** Returns the index of the last character of an escape. `from`: the character after the backslash. */
function scanEscape(text: string, from: number): number {
  if (text[from] !== 'u') {
    if (!/["\\/bfnrt]/.test(text[from] ?? '')) throw invalid(text, from, 'in string escape code');
    return from;
  }
  for (let index = from + 1; index <= from + 4; index++) {
    if (!/[\da-fA-F]/.test(text[index] ?? ''))
      throw invalid(text, index, 'in \\u hexadecimal character escape');
  }
  return from + 4;
}

function scanNumber(text: string, from: number): number {
  let index = text[from] === '-' ? from + 1 : from;
  if (text[index] === '0') index++;
  else index = scanDigits(text, index, 'in numeric literal');
  if (text[index] === '.') index = scanDigits(text, index + 1, 'after decimal point in numeric literal');
  if (text[index] !== 'e' && text[index] !== 'E') return index;
  index++;
  if (text[index] === '+' || text[index] === '-') index++;
  return scanDigits(text, index, 'in exponent of numeric literal');
}

function scanDigits(text: string, from: number, context: string): number {
  let index = from;
  while (/\d/.test(text[index] ?? '')) index++;
  if (index === from) throw invalid(text, index, context);
  return index;
}

function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && ' \t\r\n'.includes(text[index] as string)) index++;
  return index;
}

function invalid(text: string, index: number, context: string): JsonSyntaxError {
  // At the end Go tries a space: if a space is valid there, the text ended too early.
  const code = text.codePointAt(index) ?? (TAKES_SPACE.test(context) ? undefined : 0x20);
  if (code === undefined) return new JsonSyntaxError(END);
  return new JsonSyntaxError(`invalid character ${quoteByte(firstByte(code))} ${context}`);
}

/** Go examines bytes: for a non-ASCII character it reports the first byte as if it were a character. */
function firstByte(code: number): number {
  if (code < 0x80) return code;
  if (code >= 0xdc80 && code <= 0xdcff) return code - 0xdc00;
  return Buffer.from(String.fromCodePoint(code))[0] as number;
}

const SHORT_NAMES: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  39: "\\'",
  92: '\\\\',
};

function quoteByte(byte: number): string {
  const short = SHORT_NAMES[byte];
  if (short !== undefined) return `'${short}'`;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`;
  const isPrintable = byte < 0x7f || (byte > 0xa0 && byte !== 0xad);
  return isPrintable ? `'${String.fromCharCode(byte)}'` : `'\\u00${byte.toString(16)}'`;
}
