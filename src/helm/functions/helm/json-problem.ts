import { textToBytes } from '../../value/bytes.ts';
import { quoteRune } from '../../value/quote.ts';

/** What encoding/json says of a text that is no JSON; undefined when it is. */
export function jsonProblem(text: string): string | undefined {
  const scan: Scan = { text, at: 0 };
  try {
    skipSpace(scan);
    readValue(scan, 0);
    skipSpace(scan);
    if (scan.at < text.length) throw unexpected(scan, 'after top-level value');
    return undefined;
  } catch (error) {
    if (error instanceof JsonProblem) return error.message;
    throw error;
  }
}

class JsonProblem extends Error {}

interface Scan {
  readonly text: string;
  at: number;
}

const DEEPEST = 10_000;

function unexpected(scan: Scan, context: string): JsonProblem {
  const character = scan.text[scan.at];
  if (character === undefined) return new JsonProblem('unexpected end of JSON input');
  // Go looks at bytes, and shows one as the character of its number.
  const byte = textToBytes(String.fromCodePoint(scan.text.codePointAt(scan.at)!))[0]!;
  const shown = character === "'" ? `'\\''` : character === '"' ? `'"'` : quoteRune(byte);
  return new JsonProblem(`invalid character ${shown} ${context}`);
}

function skipSpace(scan: Scan): void {
  while (/[ \t\r\n]/.test(scan.text[scan.at] ?? '')) scan.at++;
}

function readValue(scan: Scan, depth: number): void {
  if (depth > DEEPEST) throw new JsonProblem('exceeded max depth');
  const first = scan.text[scan.at] ?? '';
  const word = ['true', 'false', 'null'].find((known) => known[0] === first);
  if (first === '{') readObject(scan, depth);
  else if (first === '[') readArray(scan, depth);
  else if (first === '"') readString(scan);
  else if (/[-0-9]/.test(first)) readNumber(scan);
  else if (word !== undefined) readWord(scan, word);
  else throw unexpected(scan, 'looking for beginning of value');
}

function readWord(scan: Scan, word: string): void {
  for (let place = 1; place < word.length; place++) {
    scan.at++;
    if (scan.text[scan.at] !== word[place]) {
      throw unexpected(scan, `in literal ${word} (expecting ${quoteRune(word.charCodeAt(place))})`);
    }
  }
  scan.at++;
}

function readObject(scan: Scan, depth: number): void {
  scan.at++;
  skipSpace(scan);
  if (scan.text[scan.at] === '}') {
    scan.at++;
    return;
  }
  for (;;) {
    skipSpace(scan);
    if (scan.text[scan.at] !== '"') throw unexpected(scan, 'looking for beginning of object key string');
    readString(scan);
    skipSpace(scan);
    if (scan.text[scan.at] !== ':') throw unexpected(scan, 'after object key');
    scan.at++;
    skipSpace(scan);
    readValue(scan, depth + 1);
    skipSpace(scan);
    const next = scan.text[scan.at];
    if (next !== ',' && next !== '}') throw unexpected(scan, 'after object key:value pair');
    scan.at++;
    if (next === '}') return;
  }
}

function readArray(scan: Scan, depth: number): void {
  scan.at++;
  skipSpace(scan);
  if (scan.text[scan.at] === ']') {
    scan.at++;
    return;
  }
  for (;;) {
    skipSpace(scan);
    readValue(scan, depth + 1);
    skipSpace(scan);
    const next = scan.text[scan.at];
    if (next !== ',' && next !== ']') throw unexpected(scan, 'after array element');
    scan.at++;
    if (next === ']') return;
  }
}

function readString(scan: Scan): void {
  for (scan.at++; ; scan.at++) {
    const character = scan.text[scan.at];
    if (character === undefined || character < ' ') throw unexpected(scan, 'in string literal');
    if (character === '"') break;
    if (character === '\\') readEscape(scan);
  }
  scan.at++;
}

function readEscape(scan: Scan): void {
  scan.at++;
  if (scan.text[scan.at] !== 'u') {
    if (!/["\\/bfnrt]/.test(scan.text[scan.at] ?? '')) throw unexpected(scan, 'in string escape code');
    return;
  }
  for (let digit = 0; digit < 4; digit++) {
    scan.at++;
    if (!/[0-9a-fA-F]/.test(scan.text[scan.at] ?? '')) {
      throw unexpected(scan, 'in \\u hexadecimal character escape');
    }
  }
}

function readNumber(scan: Scan): void {
  if (scan.text[scan.at] === '-') scan.at++;
  if (scan.text[scan.at] === '0') scan.at++;
  else readDigits(scan, 'in numeric literal');
  if (scan.text[scan.at] === '.') {
    scan.at++;
    readDigits(scan, 'after decimal point in numeric literal');
  }
  if (/[eE]/.test(scan.text[scan.at] ?? '')) {
    scan.at++;
    if (/[+-]/.test(scan.text[scan.at] ?? '')) scan.at++;
    readDigits(scan, 'in exponent of numeric literal');
  }
}

function readDigits(scan: Scan, context: string): void {
  if (!/[0-9]/.test(scan.text[scan.at] ?? '')) throw unexpected(scan, context);
  while (/[0-9]/.test(scan.text[scan.at] ?? '')) scan.at++;
}
