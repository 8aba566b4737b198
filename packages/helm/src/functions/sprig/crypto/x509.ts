import { createHash, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { GoError } from '../../../template/errors.ts';
import { quote } from '../../../value/quote.ts';
import { bitString, der, integer, oid, readElements, sequence, TAG } from './der.ts';
import type { PrivateKey } from './private-key.ts';

/** The content of a new certificate (RFC 5280). */
export interface CertificateRequest {
  readonly commonName: string;
  readonly addresses: readonly Buffer[];
  readonly dnsNames: readonly string[];
  readonly serial: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly isAuthority: boolean;
}

/** The signer: an existing certificate, or undefined for a self-signed one. */
export interface Signer {
  readonly key: PrivateKey;
  readonly certificate: ParsedCertificate | undefined;
}

export interface ParsedCertificate {
  readonly subject: Buffer;
  readonly keyId: Buffer | undefined;
  readonly publicKey: KeyObject;
}

const EXTENSION = {
  keyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  names: '2.5.29.17',
  constraints: '2.5.29.19',
  authority: '2.5.29.35',
  extendedUsage: '2.5.29.37',
} as const;

/** Encodes a name with the type that Go chooses: PrintableString if possible. */
function nameOf(commonName: string): Buffer {
  if (commonName === '') return sequence();
  if (/[\ud800-\udfff]/u.test(commonName)) throw failed('asn1: string not valid UTF-8');
  const tag = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(commonName) ? TAG.printableString : TAG.utf8String;
  return sequence(der(TAG.set, sequence(oid('2.5.4.3'), der(tag, Buffer.from(commonName)))));
}

function failed(message: string): GoError {
  return new GoError(`error creating certificate: ${message}`);
}

/** Encodes a time by RFC 5280, 4.1.2.5: two-digit years up to 2049. */
function timeOf(date: Date): Buffer {
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999))
    throw failed('asn1: structure error: cannot represent time as GeneralizedTime');
  const text = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  const isShort = year >= 1950 && year < 2050;
  return der(isShort ? TAG.utcTime : TAG.generalizedTime, Buffer.from(isShort ? text.slice(2) : text));
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [der(TAG.boolean, Buffer.from([0xff]))] : [];
  return sequence(oid(id), ...critical, der(TAG.octetString, value));
}

/** Returns the bits of a public key, without its algorithm. */
function keyBits(publicKey: KeyObject): Buffer {
  const [spki] = readElements(publicKey.export({ type: 'spki', format: 'der' })) ?? [];
  return readElements(spki!.content)![1]!.content.subarray(1);
}

/** Derives a key ID by RFC 7093, method 1, as Go does since 1.25. */
function keyIdOf(publicKey: KeyObject): Buffer {
  return createHash('sha256').update(keyBits(publicKey)).digest().subarray(0, 20);
}

function namesOf(request: CertificateRequest): Buffer[] {
  if (request.dnsNames.length + request.addresses.length === 0) return [];
  const dns = request.dnsNames.map((name) => {
    if (/[^\0-\x7f]/.test(name)) throw failed(`x509: ${quote(name)} cannot be encoded as an IA5String`);
    return der(0x82, Buffer.from(name));
  });
  const addresses = request.addresses.map((address) => der(0x87, address));
  return [extension(EXTENSION.names, sequence(...dns, ...addresses), request.commonName === '')];
}

function extensionsOf(
  request: CertificateRequest,
  publicKey: KeyObject,
  authorityId: Buffer | undefined,
): Buffer {
  const usage = request.isAuthority ? bitString(Buffer.from([0xa4]), 2) : bitString(Buffer.from([0xa0]), 5);
  const authority = request.isAuthority ? [der(TAG.boolean, Buffer.from([0xff]))] : [];
  return sequence(
    extension(EXTENSION.keyUsage, usage, true),
    extension(EXTENSION.extendedUsage, sequence(oid('1.3.6.1.5.5.7.3.1'), oid('1.3.6.1.5.5.7.3.2'))),
    extension(EXTENSION.constraints, sequence(...authority), true),
    ...(request.isAuthority ? [extension(EXTENSION.keyId, der(TAG.octetString, keyIdOf(publicKey)))] : []),
    ...(authorityId === undefined ? [] : [extension(EXTENSION.authority, sequence(der(0x80, authorityId)))]),
    ...namesOf(request),
  );
}

interface Algorithm {
  readonly id: Buffer;
  readonly hash: string | null;
}

function algorithmOf(key: KeyObject): Algorithm {
  const ecdsa = (id: string, hash: string) => ({ id: sequence(oid(id)), hash });
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return { id: sequence(oid('1.2.840.113549.1.1.11'), der(TAG.null)), hash: 'sha256' };
    case 'ed25519':
      return { id: sequence(oid('1.3.101.112')), hash: null };
  }
  switch (key.asymmetricKeyDetails?.namedCurve) {
    case 'prime256v1':
      return ecdsa('1.2.840.10045.4.3.2', 'sha256');
    case 'secp384r1':
      return ecdsa('1.2.840.10045.4.3.3', 'sha384');
    case 'secp521r1':
      return ecdsa('1.2.840.10045.4.3.4', 'sha512');
    default:
      throw failed('x509: only RSA, ECDSA and Ed25519 keys supported');
  }
}

/** Returns a certificate for a public key, or for the public part of a private one, in DER. */
export function createCertificate(request: CertificateRequest, key: PrivateKey, signer: Signer): Buffer {
  if (key === 'dsa' || signer.key === 'dsa')
    throw failed('x509: certificate private key does not implement crypto.Signer');
  const publicKey = key.type === 'public' ? key : createPublicKey(key);
  const algorithm = algorithmOf(signer.key);
  const subject = nameOf(request.commonName);
  const { certificate } = signer;
  if (certificate !== undefined && !certificate.publicKey.equals(createPublicKey(signer.key)))
    throw failed("x509: provided PrivateKey doesn't match parent's PublicKey");
  const issuer = certificate?.subject ?? subject;
  const authorityId = issuer.equals(subject) ? undefined : certificate?.keyId;
  const signed = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(request.serial),
    algorithm.id,
    issuer,
    sequence(timeOf(request.notBefore), timeOf(request.notAfter)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensionsOf(request, publicKey, authorityId)),
  );
  return sequence(signed, algorithm.id, bitString(sign(algorithm.hash, signed, signer.key)));
}

/** Parses the parts of a certificate that signing needs. Throws the error of node:crypto for an invalid one. */
export function parseCertificate(bytes: Buffer): ParsedCertificate {
  const { publicKey } = new X509Certificate(bytes);
  const inside = (content: Buffer) => readElements(content) ?? [];
  const fields = inside(inside(inside(bytes)[0]!.content)[0]!.content);
  // The leading version is optional.
  const subject = fields[fields[0]?.tag === 0xa0 ? 5 : 4]!.whole;
  const extensions = fields.find(({ tag }) => tag === 0xa3);
  const all = extensions === undefined ? [] : inside(inside(extensions.content)[0]!.content);
  const keyId = all
    .map(({ content }) => inside(content))
    .find(([id]) => id?.whole.equals(oid(EXTENSION.keyId)));
  return {
    subject,
    publicKey,
    keyId: keyId === undefined ? undefined : inside(keyId.at(-1)!.content)[0]!.content,
  };
}
