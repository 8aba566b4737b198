import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHeaders } from '../connection/cluster-connection.ts';
import { errorFromNetwork } from '../failure/network.ts';
import type { Answer } from './body.ts';
import { Deadline } from './deadline.ts';
import { onAbort } from './on-abort.ts';
import { checkReadOnly } from './read-only.ts';
import { requestReport } from './request-report.ts';
import { requestUrl } from './request-url.ts';
import type { SharedConnections, StreamWay } from './shared-connections.ts';
import type { Wire, WireRequest } from './wire.ts';

/** First probe of TCP keep-alive on an idle socket: an idle follow sends nothing for hours, and must stay open. */
const TCP_KEEP_ALIVE_MS = 30_000;

/**
 * Sends one request once and resolves with the response headers, whatever the status. Rejects with a KubeError
 * (`connection`, `tls`, `protocol`; `bad-request` for a read-only client), or with the signal's reason. Calls `onStale`
 * if the request failed on a kept socket before any response: the server had closed it, so an immediate retry repeats
 * nothing.
 */
export async function exchange(
  wire: Wire,
  request: WireRequest,
  credentials: RequestHeaders,
  onStale: () => void,
): Promise<Answer> {
  if (wire.readOnly === true) checkReadOnly(request);
  if (request.sharesConnection !== true || wire.shared === undefined)
    return exchangeOnce(wire, request, credentials, onStale, () => {});
  return exchangeLong(wire, wire.shared, request, credentials, onStale);
}

/** Sends a request whose response may be long and one of many; uses HTTP/2 if there are many. */
async function exchangeLong(
  wire: Wire,
  shared: SharedConnections,
  request: WireRequest,
  credentials: RequestHeaders,
  onStale: () => void,
): Promise<Answer> {
  const way = shared.takeOwn() ?? (await sharedWay(wire, shared, request));
  const { link, release } = way;
  if (link === undefined) return exchangeOnce(wire, request, credentials, onStale, release);
  const { exchangeShared } = await import('./http2-exchange.ts');
  return exchangeShared({ link, release }, wire, request, credentials, onStale);
}

/** Gets a place on a shared connection. Rejects with a KubeError, or the signal's reason. */
async function sharedWay(wire: Wire, shared: SharedConnections, request: WireRequest): Promise<StreamWay> {
  const url = requestUrl(wire.connection.server, request.path);
  const report = requestReport(wire, request, url);
  const late = new AbortController();
  const deadline = new Deadline((error) => late.abort(error));
  deadline.connecting(wire.connectTimeoutMs, url.host, request);
  const { signal } = request;
  const forgetSignal = onAbort(signal, () => late.abort(signal?.reason));
  try {
    return await shared.take(late.signal);
  } catch (error) {
    report(undefined, error);
    throw signal?.aborted ? signal.reason : errorFromNetwork(error, request.subject);
  } finally {
    deadline.clear();
    forgetSignal();
  }
}

async function exchangeOnce(
  wire: Wire,
  request: WireRequest,
  credentials: RequestHeaders,
  onStale: () => void,
  onOver: () => void,
): Promise<Answer> {
  const url = requestUrl(wire.connection.server, request.path);
  let message: ClientRequest;
  try {
    request.signal?.throwIfAborted();
    message = open(wire, request, url, credentials);
  } catch (error) {
    onOver();
    // Otherwise the token contains a line break, or the agent cannot be created.
    throw request.signal?.aborted ? error : errorFromNetwork(error, request.subject);
  }
  return answerTo(message, { wire, request, url, onStale, onOver });
}

interface SentRequest {
  readonly wire: Wire;
  readonly request: WireRequest;
  readonly url: URL;
  readonly onStale: () => void;
  /** Called when the connection is free for another request, or gone. */
  readonly onOver: () => void;
}

/** Sends an open request and resolves with the response headers. */
function answerTo(message: ClientRequest, sent: SentRequest): Promise<Answer> {
  const { wire, request, url, onStale, onOver } = sent;
  const { signal } = request;
  return new Promise((resolve, reject) => {
    const report = requestReport(wire, request, url);
    const deadline = new Deadline((error) => message.destroy(error));
    deadline.connecting(wire.connectTimeoutMs, url.host, request);
    const settle = (status: number | undefined, error?: unknown) => {
      deadline.clear();
      forgetSignal();
      report(status, error);
    };
    const forgetSignal = onAbort(signal, () => {
      settle(undefined, signal?.reason);
      message.destroy();
      onOver();
      reject(signal?.reason);
    });

    message.once('close', onOver);
    message.on('socket', (socket) => {
      socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
      whenConnected(socket, () => {
        const limitMs = request.answerTimeoutMs ?? wire.answerTimeoutMs;
        deadline.answering(limitMs, url.host, request);
      });
    });
    message.on('response', (response) => {
      if (signal?.aborted) {
        response.destroy();
        return;
      }
      settle(response.statusCode);
      callOnDestroy(response, onOver);
      resolve({ status: response.statusCode ?? 0, response });
    });
    // Listens for the life of the message: an error after the response headers also reaches the body.
    message.on('error', (error) => {
      if (signal?.aborted) return;
      if (message.reusedSocket && isClosedSocket(error)) onStale();
      settle(undefined, error);
      reject(errorFromNetwork(error, request.subject));
    });
    message.end(request.body);
  });
}

/** Calls back immediately on destroy, before the reader's next request; `close` comes later than that. */
function callOnDestroy(response: IncomingMessage, callback: () => void): void {
  const { destroy } = response;
  response.destroy = (error) => {
    destroy.call(response, error);
    callback();
    return response;
  };
}

function open(wire: Wire, request: WireRequest, url: URL, credentials: RequestHeaders): ClientRequest {
  const agent = wire.connection.agent();
  const body = request.body === undefined ? undefined : Buffer.byteLength(request.body);
  return httpRequest({
    agent,
    // http and https differ only in the agent, but node:http requires that its protocol equals the request's.
    protocol: (agent as { readonly protocol?: string }).protocol ?? wire.connection.server.protocol,
    method: request.method,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || (url.protocol === 'https:' ? 443 : 80),
    path: url.pathname + url.search,
    headers: {
      ...credentials,
      host: url.host,
      accept: request.accept,
      'accept-encoding': request.gzip ? 'gzip' : 'identity',
      ...(request.range === undefined ? {} : { range: request.range }),
      'user-agent': wire.userAgent,
      ...(request.contentType === undefined ? {} : { 'content-type': request.contentType }),
      ...(body === undefined ? {} : { 'content-length': body }),
    },
  });
}

/**
 * Calls back when the socket can send the request: at once for a kept socket, or one that a proxy agent already
 * prepared.
 */
function whenConnected(socket: Socket, then: () => void): void {
  if ('secureConnecting' in socket && socket.secureConnecting === true) socket.once('secureConnect', then);
  else if (socket.connecting) socket.once('connect', then);
  else then();
}

function isClosedSocket(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined;
  return code === 'ECONNRESET' || code === 'EPIPE';
}
