import { isAbsentObject, KubeError } from '../errors.ts';
import { CodedError } from '../values/coded-error.ts';
import { type ClusterAnswer, kubeFailure } from '../values/failures.ts';
import { whyOf } from '../values/problems.ts';
import { type ClusterName, troubleOf } from './cluster-name.ts';
import { describeForbidden } from './describe-forbidden.ts';
import { describeTls } from './describe-tls.ts';
import { describeWrongPath } from './describe-wrong-path.ts';

/** Errors that only logtool's own mistakes throw. */
const DEFECTS = [TypeError, RangeError, ReferenceError, SyntaxError, URIError];

/**
 * Describes a failure of talking to the cluster as a code with data. Keeps an error that already has a code (of a
 * plugin or a proxy); of any other error, only the message is known. An error that JavaScript itself throws is a defect
 * of logtool, not of the cluster.
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
    case 'conflict':
    case 'gone':
    case 'http':
    case 'protocol':
    case 'server':
    case 'too-many-requests':
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
  // A proxy before an API server often responds without a message.
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

/** Puts each text on one line, and removes everything with which a server or proxy could control a terminal. */
function inOneLine(value: unknown): unknown {
  if (typeof value === 'string') return fold(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inOneLine(each)]));
}

function fold(text: string): string {
  // C0 and C1 controls, line separators, and the marks that reorder text.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim();
}

/**
 * Describes a connection that failed or broke, by the system's code
 * (https://nodejs.org/api/errors.html#common-system-errors).
 */
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
