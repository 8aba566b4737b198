import type { KubeError } from '../errors.ts';
import type { CodedError } from '../values/coded-error.ts';
import { kubeFailure } from '../values/failures.ts';
import { type ClusterName, troubleOf } from './cluster-name.ts';

/** Why a handshake failed; each value is the code of the error. */
type TlsProblem =
  | 'tls-unknown-authority'
  | 'tls-wrong-host'
  | 'tls-expired'
  | 'tls-not-yet-valid'
  | 'tls-no-tls'
  | 'tls-no-http1'
  | 'tls-version'
  | 'tls-client-certificate'
  | 'tls';

/** Maps the codes of https://nodejs.org/api/tls.html#x509-certificate-error-codes. */
const PROBLEM_OF_CODE: Readonly<Record<string, TlsProblem>> = {
  SELF_SIGNED_CERT_IN_CHAIN: 'tls-unknown-authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls-unknown-authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls-unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT: 'tls-unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls-unknown-authority',
  CERT_UNTRUSTED: 'tls-unknown-authority',
  CERT_SIGNATURE_FAILURE: 'tls-unknown-authority',
  INVALID_CA: 'tls-unknown-authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls-wrong-host',
  HOSTNAME_MISMATCH: 'tls-wrong-host',
  CERT_HAS_EXPIRED: 'tls-expired',
  CERT_NOT_YET_VALID: 'tls-not-yet-valid',
};

/** Matches the code and message of OpenSSL; the first match counts. */
const PROBLEM_OF_MESSAGE: readonly (readonly [RegExp, TlsProblem])[] = [
  [/wrong[ _]version[ _]number|packet[ _]length[ _]too[ _]long|http[ _]request/i, 'tls-no-tls'],
  [/no[ _]application[ _]protocol/i, 'tls-no-http1'],
  [/protocol[ _]version|unsupported[ _]protocol/i, 'tls-version'],
  [/certificate[ _]required/i, 'tls-client-certificate'],
  [/bad[ _]certificate|certificate[ _](expired|unknown|revoked)|unknown[ _]ca/i, 'tls-client-certificate'],
];

/** Describes why a handshake failed. */
export function describeTls(error: KubeError, cluster: ClusterName): CodedError {
  const code = problemOf(error);
  const { code: tlsCode = '', message } = error;
  const why = message === '' ? tlsCode : plainText(message);
  const isMissing = /certificate[ _]required/i.test(`${tlsCode} ${message}`);
  return kubeFailure(code, { ...troubleOf(error, cluster), why, tlsCode, isMissing }, { cause: error });
}

function problemOf({ code = '', message }: KubeError): TlsProblem {
  const known = Object.hasOwn(PROBLEM_OF_CODE, code) ? PROBLEM_OF_CODE[code] : undefined;
  return known ?? PROBLEM_OF_MESSAGE.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1] ?? 'tls';
}

/** Returns only OpenSSL's reason; its line also contains thread, error number, function and source file. */
function plainText(message: string): string {
  return /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+)/.exec(message)?.[1] ?? message;
}
