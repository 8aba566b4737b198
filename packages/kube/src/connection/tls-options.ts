import { isIP } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { ClientCertificate } from '../credentials/credential.ts';
import type { CodedError } from '../values/coded-error.ts';
import { type CertificateTrouble, kubeFailure } from '../values/failures.ts';

/** How to check the API server's certificate. */
export interface ServerTrust {
  /** PEM of the cluster's own authority; undefined: the public authorities. */
  readonly ca: Buffer | undefined;
  /** The machine's authorities, read only if needed; undefined: Node's own. */
  readonly publicCa: readonly (string | Buffer)[] | undefined;
  readonly insecure: boolean;
  /** The name that the certificate must have, if it differs from the URL's host. */
  readonly serverName: string;
}

/** Throws CodedError `bad-certificate-data` for an unusable authority, certificate or key. */
export function secureContext(
  ca: Buffer | readonly (string | Buffer)[] | undefined,
  certificate: ClientCertificate | undefined,
  owner: string,
): SecureContext {
  // OpenSSL ignores text without a certificate, and then fails at each connection with another reason.
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

/** Returns the authorities that may sign a proxy's certificate: the public ones and the cluster's own. */
export function proxyAuthorities({ ca, publicCa }: ServerTrust): readonly (string | Buffer)[] {
  const known = publicCa ?? rootCertificates;
  return ca === undefined ? known : [...known, ca];
}

/** Returns the name to send (SNI), '' for an address: SNI allows only names (RFC 6066 section 3). */
export function sniName(host: string): string {
  return isIP(host) === 0 ? host : '';
}

/** Classifies OpenSSL's message. */
function troubleOf(message: string, owner: string): CertificateTrouble {
  if (/key values mismatch/i.test(message)) return { problem: 'other-key', owner };
  if (/interrupted or cancelled|bad decrypt|password/i.test(message))
    return { problem: 'encrypted-key', owner };
  return { problem: 'unusable', owner, why: message };
}

function badCertificate(trouble: CertificateTrouble, cause?: unknown): CodedError {
  return kubeFailure('bad-certificate-data', trouble, { cause });
}
