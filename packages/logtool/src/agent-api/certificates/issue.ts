import { generateKeyPairSync, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import { readPem, writePem } from '@logtool/helm/src/functions/sprig/crypto/pem.ts';
import { keyPem, readPrivateKey } from '@logtool/helm/src/functions/sprig/crypto/private-key.ts';
import {
  type CertificateRequest,
  createCertificate,
  parseCertificate,
} from '@logtool/helm/src/functions/sprig/crypto/x509.ts';

/** A certificate and its key, PEM. */
export interface Issued {
  readonly certificate: string;
  readonly key: string;
}

/** Whom a certificate names. */
export interface Subject {
  readonly commonName: string;
  readonly dnsNames: readonly string[];
}

const DAY_MS = 86_400_000;
const AUTHORITY_MS = 365 * DAY_MS;
const LEAF_MS = 30 * DAY_MS;
/** Clocks of nodes differ. */
const EARLIER_MS = 5 * 60_000;

/** Returns a new authority that is valid for a year. `nowMs`: ms since the epoch. */
export function issueAuthority(nowMs: number): Issued {
  const key = newKey();
  // Each has a name of its own: of two with one name, a client tries the wrong one.
  const commonName = `logtool-authority-${randomBytes(8).toString('hex')}`;
  const request = requestOf({ commonName, dnsNames: [] }, nowMs, AUTHORITY_MS);
  const bytes = createCertificate({ ...request, isAuthority: true }, key, { key, certificate: undefined });
  return { certificate: writePem({ type: 'CERTIFICATE', bytes }), key: keyPem(key) };
}

/** Returns a certificate for servers and clients, valid for 30 days, but no longer than its authority. */
export function issueLeaf(authority: Issued, subject: Subject, nowMs: number): Issued {
  const key = newKey();
  return { certificate: certify(authority, subject, key, nowMs), key: keyPem(key) };
}

/** Returns the certificate of a key (public, or the public part of a private one) for as long as issueLeaf does. */
export function certify(authority: Issued, subject: Subject, key: KeyObject, nowMs: number): string {
  const lifeMs = Math.min(LEAF_MS, endOf(authority.certificate) - nowMs);
  const bytes = createCertificate(requestOf(subject, nowMs, lifeMs), key, {
    key: readPrivateKey(authority.key),
    certificate: parseCertificate(readPem(authority.certificate)!.bytes),
  });
  return writePem({ type: 'CERTIFICATE', bytes });
}

/** Whether a third of a certificate's life is over: then the next one is made, long before this one ends. */
export function isDue(certificate: string, nowMs: number): boolean {
  const beginning = beginningOf(certificate);
  return nowMs - beginning >= (endOf(certificate) - beginning) / 3;
}

/** Returns when a certificate was made, in ms since the epoch. */
export function beginningOf(certificate: string): number {
  return Date.parse(new X509Certificate(certificate).validFrom) + EARLIER_MS;
}

/** Returns when a certificate ends, in ms since the epoch. */
export function endOf(certificate: string): number {
  return Date.parse(new X509Certificate(certificate).validTo);
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

function requestOf({ commonName, dnsNames }: Subject, nowMs: number, lifeMs: number): CertificateRequest {
  return {
    commonName,
    dnsNames,
    addresses: [],
    serial: randomBytes(16),
    notBefore: new Date(nowMs - EARLIER_MS),
    notAfter: new Date(nowMs + lifeMs),
    isAuthority: false,
  };
}
