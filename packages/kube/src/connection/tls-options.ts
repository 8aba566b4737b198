import { isIP } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { ClientCertificate } from '../credentials/credential.ts';
import type { CodedError } from '../values/coded-error.ts';
import { type CertificateTrouble, kubeFailure } from '../values/failures.ts';

/** How the API server is checked. */
export interface ServerTrust {
  /** PEM of the cluster's own authority; undefined: the public ones. */
  readonly ca: Buffer | undefined;
  /** The machine's authorities, read if they are needed; undefined: Node's own. */
  readonly publicCa: readonly (string | Buffer)[] | undefined;
  readonly insecure: boolean;
  /** The name that the certificate must have, if it is not the URL's host. */
  readonly serverName: string;
}

/** Throws CodedError `bad-certificate-data` for an authority, certificate or key that cannot be used. */
export function secureContext(
  ca: Buffer | readonly (string | Buffer)[] | undefined,
  certificate: ClientCertificate | undefined,
  owner: string,
): SecureContext {
  // OpenSSL passes over text that has no certificate in it, and then fails at each connection with another reason.
  if (Buffer.isBuffer(ca) && !ca.includes('-----BEGIN')) {
    throw badCertificate({ problem: 'no-pem', owner });
  }
  try {
    return createSecureContext({
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca: Buffer.isBuffer(ca) ? ca : [...ca] }),
      ...(certificate === undefined ? {} : { cert: certificate.cert, key: certificate.key }),
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw badCertificate(troubleOf(why, owner), cause);
  }
}

/** What a certificate of a proxy is checked against: the public authorities and the cluster's own. */
export function proxyAuthorities({ ca, publicCa }: ServerTrust): readonly (string | Buffer)[] {
  const known = publicCa ?? rootCertificates;
  return ca === undefined ? known : [...known, ca];
}

/** The name to send (SNI); an address is none (RFC 6066 section 3). */
export function sniName(host: string): string {
  return isIP(host) === 0 ? host : '';
}

/** By OpenSSL's message. */
function troubleOf(message: string, owner: string): CertificateTrouble {
  if (/key values mismatch/i.test(message)) return { problem: 'other-key', owner };
  if (/interrupted or cancelled|bad decrypt|password/i.test(message))
    return { problem: 'encrypted-key', owner };
  return { problem: 'unusable', owner, why: message };
}

function badCertificate(trouble: CertificateTrouble, cause?: unknown): CodedError {
  return kubeFailure('bad-certificate-data', trouble, { cause });
}
