import { createPrivateKey, X509Certificate } from 'node:crypto';
import { beginningOf, endOf, type Issued, isDue, issueAuthority, issueLeaf, type Subject } from './issue.ts';

/** The data of a Secret: base64 by its keys. */
export type SecretData = Readonly<Record<string, string>>;

/** All agents and the API read a Secret and trust a new authority within this time; a kubelet takes two minutes. */
const SETTLED_MS = 86_400_000;

const PEM = {
  certificate: /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g,
  key: /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]+-----END [A-Z ]*PRIVATE KEY-----\n?/g,
} as const;

/** What a Secret holds instead of authorities, each with its key. */
export class UnusableAuthorities extends Error {
  constructor() {
    super('ca.crt');
    this.name = 'UnusableAuthorities';
  }
}

/**
 * Returns the authorities of a Secret, oldest first, with a new one if the newest is due. Those that ended are dropped.
 * Throws UnusableAuthorities if there are some that cannot be read: whoever trusts them would not trust another one, and
 * only a person can know whether they are lost.
 */
export function renewedAuthorities(data: SecretData, nowMs: number): readonly [Issued, ...Issued[]] {
  const kept = validAuthorities(data, nowMs);
  const newest = kept.at(-1);
  if (newest === undefined || isDue(newest.certificate, nowMs)) kept.push(issueAuthority(nowMs));
  return kept as [Issued, ...Issued[]];
}

/**
 * Returns the authorities of a Secret with one that is given from elsewhere as the newest; none is made. Those that were
 * used before stay trusted until they end, because what they signed is still in use. Throws as renewedAuthorities does.
 */
export function givenAuthorities(
  data: SecretData,
  given: Issued,
  nowMs: number,
): readonly [Issued, ...Issued[]] {
  const kept = validAuthorities(data, nowMs).filter(({ certificate }) => certificate !== given.certificate);
  return [...kept, given] as unknown as readonly [Issued, ...Issued[]];
}

/**
 * Reads an authority from the files of a Secret of type `kubernetes.io/tls`: of a chain, the first certificate. Undefined
 * if it is none, has ended, or if its key is another's.
 */
export function readAuthority(certificates: string, key: string, nowMs: number): Issued | undefined {
  const [first = ''] = certificates.match(PEM.certificate) ?? [];
  const pair = pairOf(first, key);
  return pair !== undefined && isAuthority(pair) && endOf(pair.certificate) > nowMs ? pair : undefined;
}

function validAuthorities(data: SecretData, nowMs: number): Issued[] {
  return authoritiesOf(data).filter(({ certificate }) => endOf(certificate) > nowMs);
}

/** Returns a party's certificate from a Secret, or a new one if it is due or none of the authorities signed it. */
export function renewedLeaf(
  data: SecretData,
  authorities: readonly [Issued, ...Issued[]],
  subject: Subject,
  nowMs: number,
): Issued {
  const own = leafOf(data);
  if (own !== undefined && !isDue(own.certificate, nowMs) && isFor(own, authorities, subject)) return own;
  return issueLeaf(signerOf(authorities, nowMs), subject, nowMs);
}

/** Writes authorities as the fields of a Secret. */
export function authorityFields(authorities: readonly Issued[]): SecretData {
  const textOfAll = (field: keyof Issued) => base64(authorities.map((each) => each[field]).join(''));
  return { 'ca.crt': textOfAll('certificate'), 'ca.key': textOfAll('key') };
}

/** Writes a party's certificate as the fields of a Secret of type `kubernetes.io/tls`. */
export function leafFields({ certificate, key }: Issued): SecretData {
  return { 'tls.crt': base64(certificate), 'tls.key': base64(key) };
}

/** Returns the authority that signs: the newest that everybody trusts by now. */
export function signerOf(authorities: readonly [Issued, ...Issued[]], nowMs: number): Issued {
  const settled = authorities.filter(({ certificate }) => nowMs - beginningOf(certificate) >= SETTLED_MS);
  return settled.at(-1) ?? authorities[0];
}

function isFor({ certificate }: Issued, authorities: readonly Issued[], subject: Subject): boolean {
  const leaf = new X509Certificate(certificate);
  const names = subject.dnsNames.every((name) => leaf.checkHost(name, { subject: 'never' }) !== undefined);
  const isSigned = authorities.some((authority) =>
    leaf.verify(new X509Certificate(authority.certificate).publicKey),
  );
  return names && isSigned && leaf.subject === `CN=${subject.commonName}`;
}

function authoritiesOf(data: SecretData): Issued[] {
  const texts = { certificates: textOf(data, 'ca.crt'), keys: textOf(data, 'ca.key') };
  if (texts.certificates === '' && texts.keys === '') return [];
  const certificates = texts.certificates.match(PEM.certificate) ?? [];
  const keys = texts.keys.match(PEM.key) ?? [];
  const pairs = certificates.map((certificate, index) => pairOf(certificate, keys[index]));
  const isWhole = pairs.length > 0 && keys.length === pairs.length;
  const read = pairs.filter((pair) => pair !== undefined);
  if (!isWhole || read.length < pairs.length || !read.every(isAuthority)) throw new UnusableAuthorities();
  return read;
}

const isAuthority = ({ certificate }: Issued) => new X509Certificate(certificate).ca;

const leafOf = (data: SecretData) => pairOf(textOf(data, 'tls.crt'), textOf(data, 'tls.key'));

/** Undefined if they cannot be read or do not belong together. */
function pairOf(certificate: string, key: string | undefined): Issued | undefined {
  if (certificate === '' || key === undefined || key === '') return undefined;
  try {
    const belongs = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    return belongs ? { certificate, key } : undefined;
  } catch {
    return undefined;
  }
}

function textOf(data: SecretData, key: string): string {
  return Buffer.from(data[key] ?? '', 'base64').toString();
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
