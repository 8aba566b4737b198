import { validateHeaderValue } from 'node:http';
import type { ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import type { RequestHeaders } from '../connection/cluster-connection.ts';
import { KubeError } from '../errors.ts';
import { errorFromNetwork } from '../failure/network.ts';
import type { Answer } from './body.ts';
import { Deadline } from './deadline.ts';
import {
  CANCEL,
  HTTP_1_1_REQUIRED,
  Http2Message,
  listenForEnd,
  nameOfReset,
  REFUSED_STREAM,
} from './http2-message.ts';
import { onAbort } from './on-abort.ts';
import { requestReport } from './request-report.ts';
import { requestUrl } from './request-url.ts';
import type { StreamWay } from './shared-connections.ts';
import type { Wire, WireRequest } from './wire.ts';

type SharedWay = StreamWay & { readonly link: NonNullable<StreamWay['link']> };

/**
 * Like `exchange`, for a request without a body over a shared connection. Releases the connection when the request
 * ends.
 */
export async function exchangeShared(
  way: SharedWay,
  wire: Wire,
  request: WireRequest,
  credentials: RequestHeaders,
  onStale: () => void,
): Promise<Answer> {
  const url = requestUrl(wire.connection.server, request.path);
  const report = requestReport(wire, request, url);
  let stream: ClientHttp2Stream;
  try {
    request.signal?.throwIfAborted();
    stream = openStream(way, request, headersOf(wire, request, url, credentials), onStale);
  } catch (error) {
    way.release();
    report(undefined, error);
    throw request.signal?.aborted ? request.signal.reason : errorFromNetwork(error, request.subject);
  }
  return answerOver(stream, { way, wire, request, url, report, onStale });
}

function openStream(
  way: SharedWay,
  request: WireRequest,
  headers: OutgoingHttpHeaders,
  onStale: () => void,
): ClientHttp2Stream {
  try {
    return way.link.request(headers);
  } catch (error) {
    // The connection ended after it was chosen and before it was used.
    onStale();
    throw reset(request, 'lost', error);
  }
}

interface SentRequest {
  readonly way: SharedWay;
  readonly wire: Wire;
  readonly request: WireRequest;
  readonly url: URL;
  readonly report: ReturnType<typeof requestReport>;
  readonly onStale: () => void;
}

function answerOver(stream: ClientHttp2Stream, sent: SentRequest): Promise<Answer> {
  const { way, wire, request, url, report, onStale } = sent;
  const { signal } = request;
  return new Promise((resolve, reject) => {
    let forgetSignal = () => {};
    const fail = (error: unknown) => {
      deadline.clear();
      forgetSignal();
      report(undefined, error);
      reject(signal?.aborted ? signal.reason : errorFromNetwork(error, request.subject));
    };
    const cancel = canceller(stream, way);
    const deadline = new Deadline((error) => {
      fail(error);
      cancel();
    });
    const hasEnded = listenForEnd(stream);
    forgetSignal = onAbort(signal, () => {
      fail(signal?.reason);
      cancel();
    });
    deadline.answering(request.answerTimeoutMs ?? wire.answerTimeoutMs, url.host, request);
    stream.once('response', (headers) => {
      way.link.hasAnswered = true;
      deadline.clear();
      forgetSignal();
      if (signal?.aborted) return;
      const status = headers[':status'] ?? 0;
      report(status);
      const onRead = (bytes: number) => way.link.noteRead(bytes);
      resolve({ status, response: new Http2Message(stream, headers, { hasEnded, cancel, onRead }) });
    });
    let failure: unknown;
    // Listens for the life of the stream: an error after the response headers also reaches the body.
    stream.on('error', (error) => {
      failure = error;
    });
    stream.once('close', () => {
      const code = stream.rstCode;
      if (code === HTTP_1_1_REQUIRED) wire.shared?.refuse();
      const isDead = way.link.isGone && way.link.hasAnswered;
      if (code === REFUSED_STREAM || code === HTTP_1_1_REQUIRED || isDead) onStale();
      way.release();
      // After a response, this rejection has no effect.
      const why = way.link.isGone ? 'ended' : nameOfReset(code);
      fail(hasOwnMessage(failure) ? failure : reset(request, why, failure));
    });
  });
}

/** Returns a function that ends the stream, once, in any state. */
function canceller(stream: ClientHttp2Stream, way: SharedWay): () => void {
  let isCanceled = false;
  return () => {
    if (isCanceled) return;
    isCanceled = true;
    if (stream.closed) {
      // The server has finished; Node keeps the data that arrived until a reader takes it.
      stream.destroy();
    } else {
      stream.close(CANCEL);
      way.link.noteReset();
    }
    way.release();
  };
}

/** Whether an error comes from the system or this program, rather than from node:http2 for a stream. */
function hasOwnMessage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'code' in error && typeof error.code === 'string' && !error.code.startsWith('ERR_HTTP2');
}

function reset(request: WireRequest, name: string, cause: unknown): KubeError {
  return new KubeError({
    kind: 'connection',
    problem: { code: 'request-given-up', data: { reset: name } },
    code: 'ECONNRESET',
    request: request.subject,
    cause,
  });
}

/** Throws for credentials that no header can contain. */
function headersOf(
  wire: Wire,
  request: WireRequest,
  url: URL,
  credentials: RequestHeaders,
): OutgoingHttpHeaders {
  for (const [name, value] of Object.entries(credentials))
    for (const one of [value].flat()) validateHeaderValue(name, one);
  return {
    ...credentials,
    ':method': request.method,
    ':path': url.pathname + url.search,
    ':authority': url.host,
    accept: request.accept,
    'accept-encoding': request.gzip ? 'gzip' : 'identity',
    ...(request.range === undefined ? {} : { range: request.range }),
    'user-agent': wire.userAgent,
  };
}
