import { textToBytes } from '../../../value/bytes.ts';
import { CorruptInputError } from './base64.ts';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const GROUP = 8;

/** Encodes with RFC 4648's base32 and padding. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += 5) {
    const group = bytes.subarray(from, from + 5);
    const bits = Array.from(group, (byte) => byte.toString(2).padStart(8, '0')).join('');
    const digits = bits.match(/.{1,5}/g) ?? [];
    text += digits
      .map((digit) => DIGITS[Number.parseInt(digit.padEnd(5, '0'), 2)])
      .join('')
      .padEnd(GROUP, '=');
  }
  return text;
}

/**
 * Decodes like Go's base32.StdEncoding: requires padding, skips line breaks.
 * @throws CorruptInputError
 */
export function decodeBase32(text: string): Uint8Array {
  const all = Buffer.from(textToBytes(text))
    .toString('latin1')
    .replace(/[\r\n]/g, '');
  const bytes: number[] = [];
  for (let from = 0; from < all.length; from += GROUP) {
    const [digits, isLast] = groupAt(all, from);
    let bits = 0n;
    for (const digit of digits) bits = (bits << 5n) | BigInt(digit);
    const count = Math.floor((digits.length * 5) / 8);
    bits >>= BigInt(digits.length * 5 - count * 8);
    for (let at = count - 1; at >= 0; at--) bytes.push(Number((bits >> BigInt(at * 8)) & 255n));
    if (isLast) break;
  }
  return Uint8Array.from(bytes);
}

/** Returns the digits of a group, and whether padding ends the text there. */
function groupAt(all: string, from: number): [number[], boolean] {
  const digits: number[] = [];
  for (let at = from; at < from + GROUP; at++) {
    // Like Go, reports missing digits at the start of the incomplete group.
    if (at >= all.length) throw new CorruptInputError(32, all.length - digits.length);
    const isNearEnd = all.length - at - 1 < GROUP;
    if (all[at] === '=' && digits.length >= 2 && isNearEnd) {
      checkPadding(all, at, digits.length);
      return [digits, true];
    }
    const digit = DIGITS.indexOf(all[at]!);
    if (digit === -1) throw new CorruptInputError(32, at);
    digits.push(digit);
  }
  return [digits, false];
}

function checkPadding(all: string, at: number, count: number): void {
  const rest = all.slice(at + 1);
  if (rest.length + count < GROUP - 1) throw new CorruptInputError(32, all.length);
  for (let index = 0; index < GROUP - 1 - count; index++) {
    if (rest.length > index && rest[index] !== '=') throw new CorruptInputError(32, at + index);
  }
  if ([1, 3, 6].includes(count)) throw new CorruptInputError(32, at);
}
