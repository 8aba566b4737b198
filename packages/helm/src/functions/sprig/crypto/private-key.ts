import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { GoError } from '../../../template/errors.ts';
import { integer, readElements, sequence } from './der.ts';
import { type PemBlock, readPem, writePem } from './pem.ts';

/** A private key; a DSA key stays unparsed, because no function signs with it. */
export type PrivateKey = KeyObject | 'dsa';

export function generateRsaKey(bits: number): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: bits }).privateKey;
}

/** Generates a key of a kind that Sprig supports, as PEM; undefined for other kinds. */
export function generateKeyPem(kind: string): string | undefined {
  switch (kind) {
    case '':
    case 'rsa':
      return keyPem(generateRsaKey(4096));
    case 'dsa':
      return writePem(
        dsaBlock(generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 }).privateKey),
      );
    case 'ecdsa':
      return keyPem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
    case 'ed25519':
      return keyPem(generateKeyPairSync('ed25519').privateKey);
    default:
      return undefined;
  }
}

/** Writes a key like Sprig: RSA as PKCS #1, EC as SEC 1, others as PKCS #8. */
export function keyPem(key: KeyObject): string {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return writePem({ type: 'RSA PRIVATE KEY', bytes: key.export({ type: 'pkcs1', format: 'der' }) });
    case 'ec':
      return writePem({ type: 'EC PRIVATE KEY', bytes: key.export({ type: 'sec1', format: 'der' }) });
    default:
      return writePem({ type: 'PRIVATE KEY', bytes: key.export({ type: 'pkcs8', format: 'der' }) });
  }
}

/** Returns OpenSSL's own form of DSA keys: version, P, Q, G, Y, X. */
function dsaBlock(key: KeyObject): PemBlock {
  const inside = (bytes: Buffer) => readElements(bytes) ?? [];
  const info = inside(inside(key.export({ type: 'pkcs8', format: 'der' }))[0]!.content);
  const parameters = inside(inside(info[1]!.content)[1]!.content);
  const x = inside(info[2]!.content)[0]!;
  const shared = inside(inside(createPublicKey(key).export({ type: 'spki', format: 'der' }))[0]!.content);
  const y = inside(shared[1]!.content.subarray(1))[0]!;
  return {
    type: 'DSA PRIVATE KEY',
    bytes: sequence(integer(Buffer.from([0])), ...parameters.map(({ whole }) => whole), y.whole, x.whole),
  };
}

const SUFFIX = ' PRIVATE KEY';

/** @throws GoError worded like Sprig's; details about the bytes differ from Go's. */
export function readPrivateKey(text: string): PrivateKey {
  const block = readPem(text);
  if (block === undefined) throw new GoError('no PEM data in input');
  const { type, bytes } = block;
  if (type === 'PRIVATE KEY') return parsed('decoding PEM as PKCS#8', bytes, 'pkcs8');
  if (!type.endsWith(SUFFIX)) throw new GoError(`no private key data in PEM block of type ${type}`);
  switch (type.slice(0, -SUFFIX.length)) {
    case 'RSA':
      return parsed('parsing RSA private key from PEM', bytes, 'pkcs1');
    case 'EC':
      return parsed('parsing EC private key from PEM', bytes, 'sec1');
    case 'DSA':
      if (readElements(bytes)?.[0]?.tag === 0x30) return 'dsa';
      throw new GoError('parsing DSA private key from PEM: asn1: structure error: no sequence');
    default:
      throw new GoError(`invalid private key type ${type}`);
  }
}

function parsed(what: string, bytes: Buffer, type: 'pkcs8' | 'pkcs1' | 'sec1'): KeyObject {
  try {
    return createPrivateKey({ key: bytes, format: 'der', type });
  } catch (error) {
    throw new GoError(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
