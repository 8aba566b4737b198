import { validateHeaderValue } from 'node:http';
import type { ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import type { RequestHeaders } from '../connection/cluster-connection.ts';
import { KubeError } from '../errors.ts';
import { errorFromNetwork } from '../failure/network.ts';
import { Deadline } from './deadline.ts';
import type { Answer } from './exchange.ts';
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

/** As `exchange`, for a request without a body, over a connection that it shares. Ends the way with the request. */
export function exchangeShared(
  way: StreamWay & { readonly link: NonNullable<StreamWay['link']> },
  wire: Wire,
  request: WireRequest,
  credentials: RequestHeaders,
  onStale: () => void,
): Promise<Answer> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    const url = requestUrl(wire.connection.server, request.path);
    const report = requestReport(wire, request, url);
    const fail = (error: unknown) => {
      deadline.clear();
      forgetSignal();
      report(undefined, error);
      reject(signal?.aborted ? signal.reason : errorFromNetwork(error, request.subject));
    };
    let stream: ClientHttp2Stream | undefined;
    let isCancelled = false;
    const cancel = () => {
      if (stream === undefined || isCancelled) return;
      isCancelled = true;
      if (stream.closed) {
        // The server is done with it; Node keeps what came until it is read.
        stream.destroy();
      } else {
        stream.close(CANCEL);
        way.link.noteReset();
      }
      way.release();
    };
    let forgetSignal = () => {};
    const deadline = new Deadline((error) => {
      fail(error);
      cancel();
    });
    try {
      signal?.throwIfAborted();
      const headers = headersOf(wire, request, url, credentials);
      try {
        stream = way.link.request(headers);
      } catch (error) {
        // It ended between being chosen and being used.
        onStale();
        throw reset(request, 'the connection had ended', error);
      }
    } catch (error) {
      way.release();
      return fail(error);
    }
    const opened = stream;
    const hasEnded = listenForEnd(opened);
    forgetSignal = onAbort(signal, () => {
      fail(signal?.reason);
      cancel();
    });
    deadline.answering(request.answerTimeoutMs ?? wire.answerTimeoutMs, url.host, request);
    opened.once('response', (headers) => {
      way.link.hasAnswered = true;
      deadline.clear();
      forgetSignal();
      if (signal?.aborted) return;
      const status = headers[':status'] ?? 0;
      report(status);
      const onRead = (bytes: number) => way.link.noteRead(bytes);
      resolve({ status, response: new Http2Message(opened, headers, { hasEnded, cancel, onRead }) });
    });
    let failure: unknown;
    // Stays for the life of the stream: an error behind the head of the answer reaches the body by itself.
    opened.on('error', (error) => {
      failure = error;
    });
    opened.once('close', () => {
      const code = opened.rstCode;
      if (code === HTTP_1_1_REQUIRED) wire.shared?.refuse();
      const isDead = way.link.isGone && way.link.hasAnswered;
      if (code === REFUSED_STREAM || code === HTTP_1_1_REQUIRED || isDead) onStale();
      way.release();
      // Behind an answer nobody waits for it any more.
      const why = way.link.isGone ? 'the connection ended' : nameOfReset(code);
      fail(hasOwnWords(failure) ? failure : reset(request, why, failure));
    });
  });
}

/** An error of the system or of this program, and not one of node:http2's for a stream. */
function hasOwnWords(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'code' in error && typeof error.code === 'string' && !error.code.startsWith('ERR_HTTP2');
}

function reset(request: WireRequest, why: string, cause: unknown): KubeError {
  return new KubeError({
    kind: 'connection',
    message: `the server gave the request up before an answer: ${why}`,
    code: 'ECONNRESET',
    request: request.subject,
    cause,
  });
}

/** Throws for credentials that no header can hold. */
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
    'user-agent': wire.userAgent,
  };
}
