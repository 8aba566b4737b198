import type { RequestHeaders } from '../connection/cluster-connection.ts';
import { isKubeError, KubeError } from '../errors.ts';
import { errorFromAnswer, kindOfStatus } from '../failure/status.ts';
import { ProblemError } from '../values/problems.ts';
import { type Answer, ResponseBody } from './body.ts';
import { bufferBody } from './buffer-body.ts';
import { exchange } from './exchange.ts';
import type { Wire, WireRequest } from './wire.ts';

/** A Status is a few hundred bytes; a proxy's error page may be more. */
const STATUS_LIMIT_BYTES = 1024 * 1024;

/** Status and headers of a 2xx response, with its unread body. */
export interface GoodAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly encoding: string | undefined;
  /** Which part of a file this is, and its size (RFC 9110, 14.4). */
  readonly contentRange: string | undefined;
  readonly body: ResponseBody;
}

/**
 * Sends a request and resolves with a 2xx response; throws a KubeError for any other. After a 401, gets new credentials
 * and sends the request once more. Replaces a kept socket that the server has closed meanwhile.
 */
export async function openAnswer(wire: Wire, request: WireRequest): Promise<GoodAnswer> {
  let refreshed = false;
  for (;;) {
    const credentials = await credentialsOf(wire, request);
    const answer = await exchangeFresh(wire, request, credentials);
    if (answer.status >= 200 && answer.status < 300) return goodAnswer(answer, request);
    const error = await readFailure(wire, request, answer);
    if (error.kind !== 'unauthorized' || refreshed) throw error;
    refreshed = true;
    if (!(await refresh(wire, request, credentials))) throw error;
  }
}

async function exchangeFresh(wire: Wire, request: WireRequest, credentials: RequestHeaders): Promise<Answer> {
  // Every kept socket may be dead (after a restart of the server), and each attempt finds only one, so the number of
  // attempts is limited.
  for (let left = request.method === 'GET' ? 8 : 0; ; left--) {
    let stale = false;
    try {
      return await exchange(wire, request, credentials, () => {
        stale = true;
      });
    } catch (error) {
      if (!stale || left <= 0) throw error;
    }
  }
}

async function credentialsOf(wire: Wire, request: WireRequest): Promise<RequestHeaders> {
  try {
    return await wire.connection.headers(request.signal);
  } catch (error) {
    throw credentialsError(error, request);
  }
}

async function refresh(wire: Wire, request: WireRequest, sent: RequestHeaders): Promise<boolean> {
  try {
    return await wire.connection.refresh(request.signal, sent);
  } catch (error) {
    throw credentialsError(error, request);
  }
}

function credentialsError(error: unknown, request: WireRequest): unknown {
  if (request.signal?.aborted || error instanceof KubeError) return error;
  const message = error instanceof Error ? error.message : `${error}`;
  const problem = error instanceof ProblemError ? error.problem : undefined;
  return new KubeError({ kind: 'credentials', message, problem, request: request.subject, cause: error });
}

function goodAnswer({ status, response }: Answer, request: WireRequest): GoodAnswer {
  return {
    status,
    contentType: response.headers['content-type'] ?? '',
    encoding: response.headers['content-encoding'],
    contentRange: response.headers['content-range'],
    body: new ResponseBody(response, request.subject, request.signal),
  };
}

async function readFailure(wire: Wire, request: WireRequest, answer: Answer): Promise<KubeError> {
  const { status, response } = answer;
  const retryAfterMs = parseRetryAfterMs(response.headers['retry-after'], wire.clock.now());
  const { body, encoding } = goodAnswer(answer, request);
  let text = '';
  try {
    const bytes = await bufferBody(body, {
      encoding,
      limitBytes: STATUS_LIMIT_BYTES,
      request: request.subject,
    });
    text = bytes.toString();
  } catch (error) {
    if (request.signal?.aborted) throw error;
    // Only the body of a 404 distinguishes an absent object from an unknown path.
    if (status === 404 && isKubeError(error, 'connection')) throw error;
    // The status is more useful than the failure to read the body.
    text = '';
  }
  const location = response.headers.location;
  if (status >= 300 && status < 400 && location !== undefined) {
    const problem = { code: 'redirect', data: { status, location: location.slice(0, 300) } } as const;
    return new KubeError({
      kind: kindOfStatus(status),
      problem,
      status,
      retryAfterMs,
      request: request.subject,
    });
  }
  return errorFromAnswer(status, text, request.subject, retryAfterMs);
}

/**
 * Returns Retry-After as ms from `nowMs`: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined if absent or invalid.
 */
export function parseRetryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = /^[A-Za-z]{3},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
