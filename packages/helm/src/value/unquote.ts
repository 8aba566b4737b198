import { bytesToText, textToBytes } from './bytes.ts';

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** strconv.Unquote of a Go string, raw string or character literal; undefined for anything else. */
export function unquote(literal: string): string | undefined {
  if (literal.length < 2) return undefined;
  const mark = literal[0]!;
  if (mark !== literal[literal.length - 1]) return undefined;
  const body = literal.slice(1, -1);
  if (mark === '`') return body.includes('`') ? undefined : body.replaceAll('\r', '');
  if (mark !== '"' && mark !== "'") return undefined;
  if (body.includes('\n')) return undefined;
  const text = decodeEscapes(body, mark);
  if (text === undefined || (mark === "'" && [...text].length !== 1)) return undefined;
  return text;
}

function decodeEscapes(body: string, mark: string): string | undefined {
  let text = '';
  let hasBytes = false;
  let at = 0;
  while (at < body.length) {
    const character = String.fromCodePoint(body.codePointAt(at)!);
    if (character === mark) return undefined;
    if (character !== '\\') {
      text += character;
      at += character.length;
      continue;
    }
    const decoded = readEscape(body, at + 1, mark);
    if (decoded === undefined) return undefined;
    text += decoded.text;
    hasBytes ||= decoded.isByte;
    at = decoded.next;
  }
  // Escaped bytes that form a character together become that character.
  return hasBytes && mark === '"' ? bytesToText(textToBytes(text)) : text;
}

interface Escape {
  readonly text: string;
  readonly next: number;
  readonly isByte: boolean;
}

function readEscape(body: string, at: number, mark: string): Escape | undefined {
  const letter = body[at];
  if (letter === undefined) return undefined;
  const simple = SIMPLE_ESCAPES[letter];
  if (simple !== undefined) {
    if ((letter === "'" || letter === '"') && letter !== mark) return undefined;
    return { text: simple, next: at + 1, isByte: false };
  }
  const octal = /^[0-7]{3}/.exec(body.slice(at, at + 3));
  if (octal !== null) {
    const byte = Number.parseInt(octal[0], 8);
    return byte > 255 ? undefined : { text: byteText(byte, mark), next: at + 3, isByte: true };
  }
  return readHexEscape(body, at, mark);
}

/** Reads an escape whose letter determines the number of digits. */
function readHexEscape(body: string, at: number, mark: string): Escape | undefined {
  const letter = body[at] ?? '';
  const digits = DIGITS[letter];
  if (digits === undefined) return undefined;
  const next = at + 1 + digits;
  const hex = body.slice(at + 1, next);
  if (hex.length !== digits || !/^[0-9a-fA-F]+$/.test(hex)) return undefined;
  const code = Number.parseInt(hex, 16);
  if (letter === 'x') return { text: byteText(code, mark), next, isByte: true };
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return { text: String.fromCodePoint(code), next, isByte: false };
}

/** In a string, `\xff` is a byte; in a character literal, it is a code point. */
function byteText(byte: number, mark: string): string {
  return byte < 0x80 || mark === "'" ? String.fromCharCode(byte) : String.fromCharCode(0xdc00 + byte);
}
