import { GoError } from '../../../template/errors.ts';
import {
  type FunctionCall,
  type FunctionTable,
  type GoFunction,
  goFunction,
} from '../../../template/function.ts';
import { encodeBase64 } from '../encoding/base64.ts';
import { runesOf } from '../text/case.ts';

const DIGITS = '0123456789';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ASCII = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('');

/** Returns a uniform random number below `limit`, which is at most 2^32. */
export function randomBelow(call: FunctionCall, limit: number): number {
  const even = 2 ** 32 - (2 ** 32 % limit);
  for (;;) {
    const bytes = call.randomBytes(4);
    const value = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
    if (value < even) return value % limit;
  }
}

const BLOCK = 4096;

/** Returns random characters. Skips bytes at the end of their range, which would favor some characters. */
function randomCharacters(call: FunctionCall, characters: string, count: number): string {
  const even = 256 - (256 % characters.length);
  const chars: string[] = [];
  while (chars.length < count) {
    for (const byte of call.randomBytes(Math.min(BLOCK, (count - chars.length) * 2))) {
      if (byte < even && chars.length < count) chars.push(characters[byte % characters.length]!);
    }
  }
  return chars.join('');
}

const randomText = (characters: string): GoFunction =>
  goFunction(['int'], 'string', (call, count) => {
    if (count.value <= 0n) return '';
    call.charge(Number(count.value) * 8);
    return randomCharacters(call, characters, Number(count.value));
  });

const RAND_BYTES = goFunction(['int'], 'string', (call, count) => {
  if (count.value < 0n) throw new GoError('runtime error: makeslice: len out of range');
  call.charge(Number(count.value) * 2);
  return encodeBase64(call.randomBytes(Number(count.value)));
});

const SHUFFLE = goFunction(['string'], 'string', (call, text) => {
  const runes = runesOf(text);
  call.charge(runes.length * 16);
  for (let at = runes.length - 1; at > 0; at--) {
    const other = randomBelow(call, at + 1);
    [runes[at], runes[other]] = [runes[other]!, runes[at]!];
  }
  return runes.join('');
});

/** A UUID of RFC 9562, version 4. */
const UUID = goFunction([], 'string', (call) => {
  const bytes = Buffer.from(call.randomBytes(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
});

/** Sprig's random functions; all are safe for secrets. */
export const RANDOM_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['randAlphaNum', randomText(LETTERS + DIGITS)],
  ['randAlpha', randomText(LETTERS)],
  ['randNumeric', randomText(DIGITS)],
  ['randAscii', randomText(ASCII)],
  ['randBytes', RAND_BYTES],
  ['shuffle', SHUFFLE],
  ['uuidv4', UUID],
]);
