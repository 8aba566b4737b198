import { type FunctionTable, type GoFunction, goFunction } from '../../../template/function.ts';
import { bytesToText, textToBytes } from '../../../value/bytes.ts';
import { decodeBase32, encodeBase32 } from './base32.ts';
import { CorruptInputError, decodeBase64, encodeBase64 } from './base64.ts';

const encoded = (encode: (bytes: Uint8Array) => string): GoFunction =>
  goFunction(['string'], 'string', (call, text) => {
    call.charge(text.length * 2);
    return encode(textToBytes(text));
  });

/** For invalid input the function returns the error message as its text. */
const decoded = (decode: (text: string) => Uint8Array): GoFunction =>
  goFunction(['string'], 'string', (call, text) => {
    call.charge(text.length);
    try {
      return bytesToText(decode(text));
    } catch (error) {
      if (error instanceof CorruptInputError) return error.message;
      throw error;
    }
  });

/** Sprig's encoding functions: http://masterminds.github.io/sprig/encoding.html */
export const ENCODING_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['b64enc', encoded(encodeBase64)],
  ['b64dec', decoded(decodeBase64)],
  ['b32enc', encoded(encodeBase32)],
  ['b32dec', decoded(decodeBase32)],
]);
