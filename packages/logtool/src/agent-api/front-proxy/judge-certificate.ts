import type { X509Certificate } from 'node:crypto';
import type { RequestHeader } from './request-header.ts';

/** Why the party at the other end of a connection is not the API server. */
export type CertificateProblem =
  | 'no-certificate'
  | 'other-authority'
  | 'authority-not-valid-now'
  | 'not-valid-now'
  | 'not-for-clients'
  | 'name-not-allowed';

const CLIENT_USES: ReadonlySet<string> = new Set(['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']);

/**
 * Returns why a connection's own certificate does not prove the API server; undefined if it does. `leaf` is the
 * certificate whose key the handshake proved: what else the peer sent with it is not looked at, so a genuine
 * certificate that was sent along proves nothing. One of the authorities must have signed it directly.
 * `nowMs`: ms since the epoch; to be asked at each request, because connections outlive certificates and authorities.
 */
export function judgeCertificate(
  leaf: X509Certificate | undefined,
  { authorities, allowedNames }: RequestHeader,
  nowMs: number,
): CertificateProblem | undefined {
  if (leaf === undefined) return 'no-certificate';
  const issuers = authorities.filter((authority) => hasSigned(authority, leaf));
  if (issuers.length === 0) return 'other-authority';
  if (!issuers.some((authority) => isValidAt(authority, nowMs))) return 'authority-not-valid-now';
  if (!isValidAt(leaf, nowMs)) return 'not-valid-now';
  if (!isForClients(leaf)) return 'not-for-clients';
  return isNameAllowed(leaf, allowedNames) ? undefined : 'name-not-allowed';
}

function hasSigned(authority: X509Certificate, leaf: X509Certificate): boolean {
  // The name alone proves nothing: another authority may have the same one.
  return authority.ca && leaf.checkIssued(authority) && leaf.verify(authority.publicKey);
}

function isValidAt(certificate: X509Certificate, nowMs: number): boolean {
  // A date that cannot be read compares false.
  return Date.parse(certificate.validFrom) <= nowMs && nowMs <= Date.parse(certificate.validTo);
}

/** Whether its extended key usage, if it has one, admits clients (RFC 5280, 4.2.1.12). */
function isForClients(leaf: X509Certificate): boolean {
  const uses: readonly string[] | undefined = leaf.keyUsage;
  return uses === undefined || uses.some((use) => CLIENT_USES.has(use));
}

function isNameAllowed(leaf: X509Certificate, allowedNames: readonly string[]): boolean {
  if (allowedNames.length === 0) return true;
  // A list if the subject has several common names; which of them counts is nobody's to guess.
  const name: unknown = leaf.toLegacyObject().subject?.CN;
  return typeof name === 'string' && allowedNames.includes(name);
}
