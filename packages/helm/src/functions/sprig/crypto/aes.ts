import { createCipheriv, createDecipheriv } from 'node:crypto';
import { GoError } from '../../../template/errors.ts';
import { bytesToText, textToBytes } from '../../../value/bytes.ts';
import { CorruptInputError, decodeBase64, encodeBase64 } from '../encoding/base64.ts';

const BLOCK = 16;
const ALGORITHM = 'aes-256-cbc';

/** Returns the first 32 bytes of a password, padded with zeros. */
function keyOf(password: string): Buffer {
  const key = Buffer.alloc(32);
  key.set(textToBytes(password).subarray(0, key.length));
  return key;
}

/**
 * Encrypts with AES-256 in CBC mode and PKCS #7 padding; returns the initialization vector and the ciphertext in
 * base64.
 */
export function encryptAes(password: string, text: string, vector: Uint8Array): string {
  if (text === '') return '';
  const cipher = createCipheriv(ALGORITHM, keyOf(password), vector);
  return encodeBase64(Buffer.concat([vector, cipher.update(textToBytes(text)), cipher.final()]));
}

/**
 * Decrypts the result of `encryptAes`. With a wrong password it returns garbage or panics, like Go: it does not check
 * the padding.
 */
export function decryptAes(password: string, text: string): string {
  if (text === '') return '';
  const bytes = decoded(text);
  if (bytes.length < BLOCK) {
    const capacity = Math.floor(text.length / 4) * 3;
    throw new GoError(
      capacity < BLOCK
        ? `runtime error: slice bounds out of range [:${BLOCK}] with capacity ${capacity}`
        : `runtime error: slice bounds out of range [${BLOCK}:${bytes.length}]`,
    );
  }
  if (bytes.length % BLOCK !== 0) throw new GoError('crypto/cipher: input not full blocks');
  const decipher = createDecipheriv(ALGORITHM, keyOf(password), bytes.subarray(0, BLOCK)).setAutoPadding(
    false,
  );
  const plain = Buffer.concat([decipher.update(bytes.subarray(BLOCK)), decipher.final()]);
  const padding = plain.at(-1);
  if (padding === undefined) throw new GoError('runtime error: index out of range [-1]');
  const length = plain.length - padding;
  if (length < 0) throw new GoError(`runtime error: slice bounds out of range [:${length}]`);
  return bytesToText(plain.subarray(0, length));
}

function decoded(text: string): Uint8Array {
  try {
    return decodeBase64(text);
  } catch (error) {
    if (error instanceof CorruptInputError) throw new GoError(error.message);
    throw error;
  }
}
