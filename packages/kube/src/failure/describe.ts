import { isAbsentObject, KubeError } from '../errors.ts';
import { CodedError } from '../values/coded-error.ts';
import { type ClusterAnswer, kubeFailure } from '../values/failures.ts';
import { whyOf } from '../values/problems.ts';
import { type ClusterName, troubleOf } from './cluster-name.ts';
import { describeForbidden } from './describe-forbidden.ts';
import { describeTls } from './describe-tls.ts';
import { describeWrongPath } from './describe-wrong-path.ts';

/** Never thrown for what somebody else did. */
const DEFECTS = [TypeError, RangeError, ReferenceError, SyntaxError, URIError];

/**
 * A failure of talking to the cluster as a code with data. One that has a code already (a plugin's, a proxy's) stays as
 * it is; of anything else the message is all that is known. What JavaScript itself throws is a defect of logtool, and
 * the cluster has no part in it.
 */
export function describeKubeError(error: unknown, cluster: ClusterName): CodedError {
  if (error instanceof CodedError) return error;
  if (!(error instanceof KubeError)) {
    const isDefect = DEFECTS.some((kind) => error instanceof kind);
    return kubeFailure(
      'unexpected',
      { server: cluster.server, why: whyOf(error), isDefect },
      { cause: error },
    );
  }
  if (error.cause instanceof CodedError) return error.cause;
  const { code, data, exit } = describe(error, cluster);
  return new CodedError(code, inOneLine(data), { exit, cause: error });
}

function describe(error: KubeError, cluster: ClusterName): CodedError {
  const options = { cause: error };
  switch (error.kind) {
    case 'connection':
      return describeConnection(error, cluster);
    case 'tls':
      return describeTls(error, cluster);
    case 'credentials':
      return kubeFailure('credentials', troubleOf(error, cluster), options);
    case 'unauthorized':
      return describeUnauthorized(error, cluster);
    case 'forbidden':
      return describeForbidden(error, cluster);
    case 'not-found':
      if (!isAbsentObject(error)) return describeWrongPath(error, cluster);
      return kubeFailure('not-found', answerOf(error, cluster), options);
    case 'bad-request': {
      const isUnknownField = error.message.includes('field label not supported');
      return kubeFailure('refused-request', { ...answerOf(error, cluster), isUnknownField }, options);
    }
    default:
      return kubeFailure(CODES[error.kind], answerOf(error, cluster), options);
  }
}

const CODES = {
  'too-many-requests': 'too-many-requests',
  server: 'server-error',
  protocol: 'protocol-error',
  gone: 'gone',
  conflict: 'conflict',
  http: 'http-error',
} as const;

function describeUnauthorized(error: KubeError, cluster: ClusterName): CodedError {
  // A proxy before an API server often answers without a message.
  const why = error.message.includes('401') ? '' : whyOf(error);
  const hasOwnToken = cluster.hasOwnToken === true;
  const data = { ...troubleOf(error, cluster), why, hasOwnToken };
  return kubeFailure('unauthorized', data, { cause: error });
}

function answerOf(error: KubeError, { server }: ClusterName): ClusterAnswer {
  const { request, message, status, problem } = error;
  const why = problem ?? (status === undefined ? message : `${message} (${status})`);
  return { request, server, why };
}

/** Each text is one line, and nothing that a server or proxy sends controls a terminal. */
function inOneLine(value: unknown): unknown {
  if (typeof value === 'string') return fold(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inOneLine(each)]));
}

function fold(text: string): string {
  // C0 and C1 controls, line separators, and the marks that reorder text.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim();
}

/** No connection, or one that broke: by the code of the system (https://nodejs.org/api/errors.html#common-system-errors). */
function describeConnection(error: KubeError, cluster: ClusterName): CodedError {
  const { host, hostname } = hostOf(cluster.server);
  const trouble = troubleOf(error, cluster);
  const options = { cause: error };
  switch (error.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'EAI_NODATA':
      return kubeFailure('dns', { ...trouble, hostname, systemCode: error.code }, options);
    case 'ECONNREFUSED':
      return kubeFailure('unreachable', { ...trouble, host, problem: 'refused' }, options);
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
    case 'ENETDOWN':
      return kubeFailure('unreachable', { ...trouble, host, problem: 'silent' }, options);
    case 'ERR_NO_ANSWER':
      return kubeFailure('no-answer', trouble, options);
    default:
      return kubeFailure('connection-lost', trouble, options);
  }
}

function hostOf(server: string): { readonly host: string; readonly hostname: string } {
  return URL.canParse(server) ? new URL(server) : { host: server, hostname: server };
}
