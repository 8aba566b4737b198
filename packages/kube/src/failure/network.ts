import { KubeError, type RequestSubject } from '../errors.ts';
import { ProblemError } from '../values/problems.ts';

/** Codes of OpenSSL's certificate checks as Node names them (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|EPROTO)/;

/** Turns a failure below HTTP into a KubeError: `tls` for certificates and handshakes, else `connection`. */
export function errorFromNetwork(cause: unknown, request: RequestSubject | undefined): KubeError {
  if (cause instanceof KubeError) return cause;
  const error = firstOf(cause);
  const code = codeOf(error);
  const isTls = code !== undefined && TLS_CODES.test(code);
  // llhttp's codes (isProtocol): the socket received something other than HTTP.
  // The only headers that come from outside are those of the credentials (isHeader).
  const isHeader = code === 'ERR_INVALID_CHAR' || code === 'ERR_INVALID_HTTP_TOKEN';
  const isProtocol = code !== undefined && /^(HPE_|ERR_HTTP_)/.test(code);
  return new KubeError({
    kind: isTls ? 'tls' : isProtocol ? 'protocol' : isHeader ? 'credentials' : 'connection',
    message: error instanceof Error ? error.message : String(error),
    problem: error instanceof ProblemError ? error.problem : undefined,
    code,
    request,
    cause,
  });
}

/** After attempts with several addresses of one name (RFC 8305), the first failure stands for all. */
function firstOf(cause: unknown): unknown {
  return cause instanceof AggregateError && cause.errors.length > 0 ? cause.errors[0] : cause;
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
