import { createHmac, scryptSync } from 'node:crypto';
import { textToBytes } from '../../../value/bytes.ts';

/**
 * Password templates by kind, and the characters of each template letter, from the Master Password algorithm, version
 * 3.
 */
const TEMPLATES: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['maximum', 'anoxxxxxxxxxxxxxxxxx axxxxxxxxxxxxxxxxxno'],
    [
      'long',
      'CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv ' +
        'CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv ' +
        'CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno',
    ],
    ['medium', 'CvcnoCvc CvcCvcno'],
    ['short', 'Cvcn'],
    ['basic', 'aaanaaan aannaaan aaannaaa'],
    ['pin', 'nnnn'],
  ].map(([kind = '', templates = '']) => [kind, templates.split(' ')] as const),
);

const CHARACTERS: Readonly<Record<string, string>> = {
  V: 'AEIOU',
  C: 'BCDFGHJKLMNPQRSTVWXYZ',
  v: 'aeiou',
  c: 'bcdfghjklmnpqrstvwxyz',
  A: 'AEIOUBCDFGHJKLMNPQRSTVWXYZ',
  a: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz',
  n: '0123456789',
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()',
};

const SCOPE = Buffer.from('com.lyndir.masterpassword');
const SCRYPT = { N: 32768, r: 8, p: 2, maxmem: 2 ** 27 };

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Prefixes a text with its length. */
function measured(text: string): Buffer {
  const bytes = textToBytes(text);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

/**
 * Derives the password of a site from a master password; the result is always the same. Undefined for an unknown kind.
 */
export function derivePassword(counter: number, kind: string, password: string, user: string, site: string) {
  const templates = TEMPLATES.get(kind);
  if (templates === undefined) return undefined;
  const key = scryptSync(textToBytes(password), Buffer.concat([SCOPE, measured(user)]), 64, SCRYPT);
  const seed = createHmac('sha256', key)
    .update(Buffer.concat([SCOPE, measured(site), uint32(counter)]))
    .digest();
  const template = templates[seed[0]! % templates.length]!;
  return Array.from(template, (letter, at) => {
    const characters = CHARACTERS[letter]!;
    return characters[seed[at + 1]! % characters.length]!;
  }).join('');
}
