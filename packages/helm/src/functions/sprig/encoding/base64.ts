import { bytesToText, textToBytes } from '../../../value/bytes.ts';

/** Invalid base64 or base32; worded as in Go. */
export class CorruptInputError extends Error {
  override readonly name = 'CorruptInputError';

  constructor(base: 32 | 64, offset: number) {
    super(`illegal base${base} data at input byte ${offset}`);
  }
}

const NEW_LINE = /[\r\n]/;
const DIGIT = /[A-Za-z0-9+/]/;

export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/**
 * Decodes like Go's base64.StdEncoding: requires padding, skips line breaks, ignores leftover bits.
 * @throws CorruptInputError
 */
export function decodeBase64(text: string): Uint8Array {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) check(text);
  return Buffer.from(text.replace(/[\r\n]/g, ''), 'base64');
}

/** Finds the byte that Go would report, if any. */
function check(text: string): void {
  const bytes = Buffer.from(textToBytes(text)).toString('latin1');
  let inGroup = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (NEW_LINE.test(byte)) continue;
    if (!DIGIT.test(byte)) {
      checkPadding(bytes, at, inGroup);
      return;
    }
    inGroup = (inGroup + 1) % 4;
  }
  // Go's offset is the length minus the digits of the last group.
  if (inGroup !== 0) throw new CorruptInputError(64, bytes.length - inGroup);
}

/** Throws unless one or two `=` from `at` on complete a group with `inGroup` digits, and end the text. */
function checkPadding(bytes: string, at: number, inGroup: number): void {
  if (bytes[at] !== '=' || inGroup < 2) throw new CorruptInputError(64, at);
  let last = at;
  if (inGroup === 2) {
    last = skipBreaks(bytes, at + 1);
    if (last === bytes.length) throw new CorruptInputError(64, last);
    if (bytes[last] !== '=') throw new CorruptInputError(64, last - 1);
  }
  const end = skipBreaks(bytes, last + 1);
  if (end < bytes.length) throw new CorruptInputError(64, end);
}

function skipBreaks(bytes: string, from: number): number {
  let at = from;
  while (NEW_LINE.test(bytes[at] ?? '')) at++;
  return at;
}

export function decodeBase64Text(text: string): string {
  return bytesToText(decodeBase64(text));
}
