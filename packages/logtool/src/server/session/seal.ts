import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Separates purposes: a seal for one purpose opens for no other. The number grows with the format of the content. */
const PURPOSE = Buffer.from('logtool session 2');

export interface Seal {
  /** Encrypts and authenticates a text (AES-256-GCM), as text for a cookie. */
  close(text: string): string;
  /** Returns the sealed text; undefined for anything that none of the keys made. */
  open(sealed: string): string | undefined;
  /** Returns a name for a secret. Without the key, nobody can derive the secret or check a guess. */
  nameOf(purpose: string, secret: string): string;
  /** Returns the names that each of the keys makes, the one of `nameOf` first. */
  namesOf(purpose: string, secret: string): readonly string[];
}

/**
 * Seals with the first of the keys and opens with all of them, so that the old key still opens while a new one replaces
 * it. Undefined: a new key that never leaves the process.
 */
export function createSeal(secrets: readonly string[] = [randomBytes(KEY_BYTES).toString('base64')]): Seal {
  const keys = secrets.map((secret) => ({
    sealing: derive(secret, 'seal'),
    naming: derive(secret, 'name'),
  }));
  const [first] = keys;
  if (first === undefined) throw new Error('a seal without a key');
  const namesOf = (purpose: string, secret: string) =>
    keys.map(({ naming }) =>
      createHmac('sha256', naming).update(`${purpose}\n${secret}`).digest('base64url'),
    );
  return {
    close(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first.sealing, nonce).setAAD(PURPOSE);
      const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url');
    },

    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      for (const { sealing } of keys) {
        const text = openWith(sealing, bytes);
        if (text !== undefined) return text;
      }
      return undefined;
    },
    namesOf,
    nameOf: (purpose, secret) => namesOf(purpose, secret)[0] ?? '',
  };
}

/** HKDF (RFC 5869): derives keys from one secret that reveal nothing about each other. */
function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `logtool ${purpose}`, KEY_BYTES));
}

function openWith(key: Buffer, bytes: Buffer): string | undefined {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(bytes.length - TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(PURPOSE).setAuthTag(tag);
  const text = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    // Node only reports that authentication failed: forged, incomplete, or sealed with another key.
    return undefined;
  }
}
