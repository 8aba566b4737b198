import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What is sealed for one purpose opens for no other. */
const PURPOSE = Buffer.from('logtool session 1');

export interface Seal {
  /** Encrypted and authenticated (AES-256-GCM), as text for a cookie. */
  close(text: string): string;
  /** What was sealed; undefined for anything that this seal has not made. */
  open(sealed: string): string | undefined;
  /** A name for a secret, from which nobody without the key can tell it, nor whether it is a certain one. */
  nameOf(purpose: string, secret: string): string;
}

/** Seals with a key that is made now and never leaves the process: what it sealed before a restart opens no more. */
export function createSeal(): Seal {
  const key = randomBytes(32);
  const nameKey = randomBytes(32);
  return {
    close(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(PURPOSE);
      const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(bytes.length - TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(PURPOSE).setAuthTag(tag);
      const text = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
      try {
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        // Node says no more than that it does not authenticate: forged, cut, or of another process.
        return undefined;
      }
    },
    nameOf: (purpose, secret) =>
      createHmac('sha256', nameKey).update(`${purpose}\n${secret}`).digest('base64url'),
  };
}
