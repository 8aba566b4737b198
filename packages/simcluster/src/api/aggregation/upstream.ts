import { type IncomingMessage, request as requestHttp1 } from 'node:http';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Identity } from '../../access/tls.ts';
import { openConnection, type Target, Unreachable } from './connect.ts';
import { hostPort, type Network } from './network.ts';

export type HeaderFields = Readonly<Record<string, string | readonly string[]>>;

export interface UpstreamRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: HeaderFields;
  /** Default: the target's address and port. */
  readonly host?: string;
  readonly body: AsyncIterable<Uint8Array> | undefined;
  /** Breaks the request or its response off. */
  readonly signal: AbortSignal;
}

/** The response of an extension API server; its body may still be arriving. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
  /** Whether the body has ended in order, rather than by a reset or a lost connection. */
  whole(): boolean;
  /** The fields after the body. */
  trailers(): Readonly<Record<string, string>>;
}

/** Node queues further requests of a connection; Go opens another one. */
const FALLBACK_STREAMS = 100;
/** The room for data that a slow client has not taken: 8.1 MB of a stream were under way in a real aggregator. */
const WINDOW_BYTES = 4 * 1024 * 1024;

/** A connection is lost if a ping stays unanswered so long (k8s.io/apimachinery: HTTP2_READ_IDLE_TIMEOUT_SECONDS). */
const PING_EVERY_MS = 30_000;
const PING_LIMIT_MS = 15_000;
/**
 * Turns of the event loop and time of the machine for an answer that is under way while the cluster's clock leaps: a
 * busy process reads it late.
 */
const GRACE_TURNS = 10;
const GRACE_TURN_MS = 100;

/** Asks extension API servers over HTTP/2 (several requests a connection), or HTTP/1.1 if they know only that. */
export class Upstreams {
  readonly #network: Network;
  readonly #identity: Identity | undefined;
  readonly #clock: Clock;
  readonly #sessions = new Map<string, Set<ClientHttp2Session>>();
  readonly #sockets = new Set<Socket>();
  readonly #streams = new WeakMap<ClientHttp2Session, number>();

  /** @param identity the client certificate; undefined: none */
  constructor(network: Network, identity: Identity | undefined, clock: Clock) {
    this.#clock = clock;
    this.#network = network;
    this.#identity = identity;
  }

  /** Resolves when the response begins. Throws Unreachable. */
  async ask(target: Target, request: UpstreamRequest): Promise<UpstreamResponse> {
    const key = JSON.stringify(target);
    const open = [...(this.#sessions.get(key) ?? [])].find((session) => this.#hasRoom(session));
    if (open !== undefined) return this.#askHttp2(open, target, request);
    const socket = await openConnection(this.#network, this.#identity, target, request.signal);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if ((socket as TLSSocket).alpnProtocol !== 'h2') return askHttp1(socket, target, request);
    return this.#askHttp2(this.#addSession(key, target, socket), target, request);
  }

  /** Closes every connection; responses that are under way break off. */
  close(): void {
    this.#sessions.clear();
    for (const socket of this.#sockets) socket.destroy();
  }

  #hasRoom(session: ClientHttp2Session): boolean {
    const limit = session.remoteSettings.maxConcurrentStreams ?? FALLBACK_STREAMS;
    return !session.closed && !session.destroyed && (this.#streams.get(session) ?? 0) < limit;
  }

  #addSession(key: string, { address, port }: Target, socket: Socket): ClientHttp2Session {
    const session = connect(`https://${hostPort(address, port)}`, {
      createConnection: () => socket,
      settings: { initialWindowSize: WINDOW_BYTES },
    });
    const sessions = this.#sessions.get(key) ?? new Set();
    this.#sessions.set(key, sessions.add(session));
    // Each stream reports the error too.
    session.on('error', () => undefined);
    session.once('goaway', () => sessions.delete(session));
    session.once('close', () => sessions.delete(session));
    this.#keepAlive(session);
    return session;
  }

  /** Gives a connection up whose server has fallen silent. */
  #keepAlive(session: ClientHttp2Session): void {
    let cancel = () => {};
    const lose = () => {
      session.destroy(new Unreachable('http2: client connection lost'));
    };
    const giveUp = (turnsLeft: number): void => {
      if (turnsLeft === 0) {
        lose();
        return;
      }
      const timer = setTimeout(giveUp, GRACE_TURN_MS, turnsLeft - 1);
      cancel = () => clearTimeout(timer);
    };
    const ping = () => {
      if (session.destroyed) return;
      cancel = this.#clock.after(PING_LIMIT_MS, () => giveUp(GRACE_TURNS));
      session.ping(() => {
        cancel();
        if (!session.destroyed) cancel = this.#clock.after(PING_EVERY_MS, ping);
      });
    };
    cancel = this.#clock.after(PING_EVERY_MS, ping);
    session.once('close', () => cancel());
  }

  #askHttp2(
    session: ClientHttp2Session,
    target: Target,
    request: UpstreamRequest,
  ): Promise<UpstreamResponse> {
    const { method, path, headers, host, body, signal } = request;
    const stream = session.request(
      {
        ...headers,
        ':method': method,
        ':path': path,
        ':authority': host ?? hostPort(target.address, target.port),
      } as Parameters<ClientHttp2Session['request']>[0],
      { endStream: body === undefined },
    );
    this.#count(session, stream);
    const abort = () => stream.close(constants.NGHTTP2_CANCEL);
    onAbort(signal, abort, stream);
    if (body !== undefined) pipeline(body, stream, () => undefined);
    let trailers: IncomingHttpHeaders = {};
    stream.once('trailers', (fields: IncomingHttpHeaders) => {
      trailers = fields;
    });
    return new Promise((resolve, reject) => {
      let failure: Error | undefined;
      stream.on('error', (error) => {
        failure = error;
      });
      stream.once('close', () => reject(new Unreachable(failure?.message ?? 'EOF')));
      stream.once('response', (fields) =>
        resolve({
          status: fields[':status'] ?? 0,
          headers: fields,
          body: stream,
          whole: () => stream.rstCode === constants.NGHTTP2_NO_ERROR && !stream.aborted,
          trailers: () => textFields(trailers),
        }),
      );
    });
  }

  #count(session: ClientHttp2Session, stream: ClientHttp2Stream): void {
    const add = (change: number) => this.#streams.set(session, (this.#streams.get(session) ?? 0) + change);
    add(1);
    stream.once('close', () => add(-1));
  }
}

function askHttp1(socket: Socket, target: Target, request: UpstreamRequest): Promise<UpstreamResponse> {
  const { method, path, headers, body, signal, host = hostPort(target.address, target.port) } = request;
  return new Promise((resolve, reject) => {
    const asked = requestHttp1({
      createConnection: () => socket,
      method,
      path,
      headers: { ...headers, host, connection: 'close' } as Record<string, string | string[]>,
    });
    onAbort(signal, () => asked.destroy(), asked);
    asked.once('error', ({ message }) =>
      reject(new Unreachable(message === 'socket hang up' ? 'EOF' : message)),
    );
    asked.once('response', (response: IncomingMessage) => {
      response.once('close', () => socket.destroy());
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: response,
        whole: () => response.complete,
        trailers: () => textFields(response.trailers),
      });
    });
    if (body === undefined) asked.end();
    else pipeline(body, asked, () => undefined);
  });
}

/** Calls `abort` when the signal aborts, until the request is over. */
function onAbort(
  signal: AbortSignal,
  abort: () => void,
  over: { once(event: 'close', callback: () => void): unknown },
): void {
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  over.once('close', () => signal.removeEventListener('abort', abort));
}

function textFields(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
