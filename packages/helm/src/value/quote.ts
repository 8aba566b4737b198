import { textToBytes } from './bytes.ts';

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const SIMPLE = /^[ !#-[\]-~]*$/;

/** unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrintable(character: string): boolean {
  return PRINTABLE.test(character);
}

const NAMED = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
]);

/** strconv.Quote; `ascii` makes it QuoteToASCII. */
export function quote(text: string, ascii = false): string {
  if (SIMPLE.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += escaped(character, '"', ascii);
  return `${quoted}"`;
}

/** strconv.QuoteRune for a code point; one out of range becomes U+FFFD. */
export function quoteRune(code: number, ascii = false): string {
  const valid = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return `'${escaped(String.fromCodePoint(valid ? code : 0xfffd), "'", ascii)}'`;
}

function escaped(character: string, mark: string, ascii: boolean): string {
  if (character === mark) return `\\${mark}`;
  const named = NAMED.get(character);
  if (named !== undefined) return named;
  const code = character.codePointAt(0)!;
  if (code >= 0xd800 && code <= 0xdfff) return `\\x${hex(textToBytes(character)[0]!, 2)}`;
  if (ascii ? code >= 0x20 && code < 0x7f : isPrintable(character)) return character;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** strconv.CanBackquote: one line, no backquotes, no control characters except tabs. */
export function canBackquote(text: string): boolean {
  return !/[`\u007f\ufeff\ud800-\udfff\u0000-\u0008\u000a-\u001f]/.test(
    text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ''),
  );
}
