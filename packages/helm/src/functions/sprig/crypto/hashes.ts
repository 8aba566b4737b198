import { createHash } from 'node:crypto';
import { type FunctionTable, type GoFunction, goFunction } from '../../../template/function.ts';
import { textToBytes } from '../../../value/bytes.ts';

const hashed = (algorithm: 'sha1' | 'sha256' | 'sha512'): GoFunction =>
  goFunction(['string'], 'string', (call, text) => {
    call.charge(text.length);
    return createHash(algorithm).update(textToBytes(text)).digest('hex');
  });

const MODULUS = 65521;

/** The checksum of RFC 1950. */
function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % MODULUS;
    high = (high + low) % MODULUS;
  }
  return high * 65536 + low;
}

/** Sprig's checksum functions: http://masterminds.github.io/sprig/crypto.html */
export const HASH_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['sha1sum', hashed('sha1')],
  ['sha256sum', hashed('sha256')],
  ['sha512sum', hashed('sha512')],
  [
    'adler32sum',
    goFunction(['string'], 'string', (call, text) => {
      call.charge(text.length);
      return String(adler32(textToBytes(text)));
    }),
  ],
]);
