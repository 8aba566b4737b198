import { type Hook, OpenAPIHono } from '@hono/zod-openapi';
import { isKubeError, type KubeError } from '@logtool/kube/src/errors.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ErrorBody, WireError } from '../contract/error.ts';
import { failurePage, type MessageOf, wantsPage } from './failure-page.ts';
import { serverFailure } from './failures.ts';
import type { Api, Logger, ServerEnv } from './services.ts';
import { toWireError } from './to-wire-error.ts';

/** HTTP statuses of failure answers. */
export type FailureStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 421 | 429 | 500 | 502 | 503;

/** Statuses of this server's own failures; those of a cluster follow from the cluster's own. */
const STATUS_OF_CODE: ReadonlyMap<string, FailureStatus> = new Map(
  Object.entries({
    'bad-request': 400,
    'bad-source': 400,
    'refused-request': 400,
    'not-signed-in': 401,
    'wrong-token': 401,
    'token-revoked': 401,
    'foreign-origin': 403,
    'page-token': 403,
    'namespace-not-allowed': 403,
    'method-not-allowed': 405,
    'no-sign-in': 404,
    'no-such-route': 404,
    'context-not-found': 404,
    'not-found': 404,
    'source-not-found': 404,
    'none-of-kind': 404,
    'body-too-slow': 408,
    'body-too-large': 413,
    'foreign-host': 421,
    'too-many-streams': 429,
    'too-many-sign-ins': 429,
    'too-many-bodies': 429,
    'too-many-patterns': 429,
    'too-many-open-sources': 429,
    unexpected: 500,
    'page-not-built': 503,
    closing: 503,
    'answer-too-slow': 503,
  } as const),
);

/** Returns an answer body for a failure. */
export function failureBody(error: WireError): ErrorBody {
  return { error };
}

/** Returns the HTTP status for a failure. A cluster's 401 does not become this server's: it would end the sign-in. */
export function statusOf(error: unknown): FailureStatus {
  if (isKubeError(error)) return statusOfCluster(error);
  if (!(error instanceof CodedError)) return 500;
  const own = STATUS_OF_CODE.get(error.code);
  if (own !== undefined) return own;
  if (isKubeError(error.cause)) return statusOfCluster(error.cause);
  return error.exit === 'usage' ? 400 : 502;
}

function statusOfCluster(error: KubeError): FailureStatus {
  switch (error.kind) {
    case 'forbidden':
      return 403;
    case 'not-found':
      return 404;
    case 'too-many-requests':
      return 429;
    case 'bad-request':
    case 'conflict':
    case 'connection':
    case 'credentials':
    case 'gone':
    case 'http':
    case 'protocol':
    case 'server':
    case 'tls':
    case 'unauthorized':
      return 502;
  }
}

/** Converts a route's error to an answer. Logs a defect with its stack; the page only learns that one occurred. */
export function answerFailure(
  error: unknown,
  context: Context<ServerEnv>,
  logger: Logger,
  messageOf?: MessageOf,
): Response {
  const thrown = error instanceof HTTPException ? malformed(error.message) : error;
  const status = statusOf(thrown);
  // The client disconnected: the resulting errors are not failures.
  const isGone = context.req.raw.signal.aborted;
  if (status === 500 && !isGone)
    logger.error({ err: error, path: context.req.path }, 'a request failed unexpectedly');
  const failure = toWireError(thrown);
  // A browser that a foreign name leads here shows the answer, so a person must understand it.
  if (failure.code === 'foreign-host' && messageOf !== undefined && wantsPage(context))
    return context.html(failurePage(messageOf({ code: failure.code, data: failure.data })), status);
  return context.json(failureBody(failure), status);
}

/** Creates an API without routes that refuses requests which do not match the contract. */
export function emptyApi(): Api {
  return new OpenAPIHono<ServerEnv>({ defaultHook: answerInvalid });
}

const answerInvalid: Hook<unknown, ServerEnv, string, Response | undefined> = (result, context) => {
  if (result.success) return undefined;
  const issues = result.error.issues.slice(0, 3).map(({ path, message }) => {
    const location = path.map(String).join('.').slice(0, 200);
    return location === '' ? message : `${location}: ${message}`;
  });
  return context.json(failureBody(toWireError(malformed(issues.join('; ')))), 400);
};

function malformed(why: string): CodedError {
  return serverFailure('bad-request', { problem: 'form', why: why.slice(0, 1_000) });
}
