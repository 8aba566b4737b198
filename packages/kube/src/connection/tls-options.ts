import { isIP } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { ClientCertificate } from '../credentials/credential.ts';
import { LogtoolError } from '../values/errors.ts';

/** How the API server is checked. */
export interface ServerTrust {
  /** PEM of the cluster's own authority; undefined: the public ones. */
  readonly ca: Buffer | undefined;
  /** The machine's authorities, read where they are needed; undefined: Node's own. */
  readonly publicCa: readonly (string | Buffer)[] | undefined;
  readonly insecure: boolean;
  /** The name that the certificate must have, where it is not the URL's host. */
  readonly serverName: string;
}

/** Throws LogtoolError `bad-certificate-data` for an authority, certificate or key that cannot be used. */
export function secureContext(
  ca: Buffer | readonly (string | Buffer)[] | undefined,
  certificate: ClientCertificate | undefined,
  owner: string,
): SecureContext {
  // OpenSSL passes over text that has no certificate in it, and then fails at each connection with another reason.
  if (Buffer.isBuffer(ca) && !ca.includes('-----BEGIN')) {
    throw badCertificate(`the certificate-authority of ${owner}`, 'there is no PEM certificate in it');
  }
  try {
    return createSecureContext({
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca: Buffer.isBuffer(ca) ? ca : [...ca] }),
      ...(certificate === undefined ? {} : { cert: certificate.cert, key: certificate.key }),
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw badCertificate(`the certificates of ${owner}`, reasonOf(why), cause);
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

function reasonOf(message: string): string {
  if (/key values mismatch/i.test(message)) return 'the client-key does not belong to the client-certificate';
  if (/interrupted or cancelled|bad decrypt|password/i.test(message))
    return 'the client-key is encrypted with a password';
  return `they cannot be read: ${message}`;
}

function badCertificate(what: string, why: string, cause?: unknown): LogtoolError {
  return new LogtoolError({
    code: 'bad-certificate-data',
    what: `${what} cannot be used`,
    why,
    next: 'get the kubeconfig again from where it came from, or correct its certificate fields',
    cause,
  });
}
