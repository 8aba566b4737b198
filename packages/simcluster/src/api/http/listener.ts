import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Identity } from '../../access/tls.ts';
import type { RawRequest, RawResponse } from './send.ts';

export interface ListenerOptions {
  readonly identity: Identity;
  /** PEM of the CA that signs client certificates. */
  readonly caCertificate: string;
  /** 0: any free port, which it keeps across restarts. */
  readonly port: number;
}

/** Replies to one request; the signal aborts when the server stops. A rejection cuts the connection. */
export type Answer = (request: RawRequest, response: RawResponse) => Promise<void>;

const IDLE_MS = 180_000;
/** Time for running requests to end when the server stops. */
const STOP_MS = 500;
/** The number that a real API server allows an HTTP/2 client by default (--http2-max-streams-per-connection). */
const MAX_STREAMS = 100;
/** If a hundred logs wait while the client reads another one, Node would reject the next stream (at 10 MB). */
const SESSION_MEMORY_MB = 1_000;

interface OpenServer {
  readonly server: Http2SecureServer;
  readonly sockets: Set<Socket>;
  readonly stopping: AbortController;
  readonly active: Set<Promise<void>>;
}

/** HTTPS on loopback, with HTTP/1.1 and HTTP/2, that can stop and restart on the same port. */
export class Listener {
  readonly #options: ListenerOptions;
  #port: number;
  #open: OpenServer | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#port = options.port;
  }

  get port(): number {
    return this.#port;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /**
   * @param answerUntil returns the function that replies to every request until the server stops, which aborts the
   * signal
   */
  async start(answerUntil: (stopping: AbortSignal) => Answer): Promise<void> {
    const stopping = new AbortController();
    const answer = answerUntil(stopping.signal);
    const active = new Set<Promise<void>>();
    const server = this.#createServer();
    const sockets = trackSockets(server);
    server.on('request', (request, response) => {
      const done = answer(request, response)
        .catch(() => void request.socket.destroy())
        .finally(() => active.delete(done));
      active.add(done);
    });
    this.#port = await listen(server, this.#port);
    this.#open = { server, sockets, stopping, active };
  }

  /** Stops listening. `reset`: like SIGKILL, resets every connection and ends nothing in order. */
  async stop(how: 'in-order' | 'reset'): Promise<void> {
    const stopped = this.#open;
    this.#open = undefined;
    if (stopped === undefined) return;
    const closed = new Promise<void>((resolve) => stopped.server.close(() => resolve()));
    if (how === 'reset') for (const socket of stopped.sockets) socket.resetAndDestroy();
    stopped.stopping.abort();
    await Promise.race([Promise.allSettled(stopped.active), pause(STOP_MS)]);
    for (const socket of stopped.sockets) socket.destroy();
    await closed;
  }

  #createServer(): Http2SecureServer {
    const { identity, caCertificate } = this.#options;
    return createSecureServer({
      allowHTTP1: true,
      key: identity.key,
      cert: identity.certificate,
      ca: caCertificate,
      requestCert: true,
      rejectUnauthorized: false,
      keepAliveTimeout: IDLE_MS,
      settings: { maxConcurrentStreams: MAX_STREAMS },
      maxSessionMemory: SESSION_MEMORY_MB,
    } as Parameters<typeof createSecureServer>[0]);
  }
}

function trackSockets(server: Http2SecureServer): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => sockets.delete(socket));
  });
  // If a client breaks off a handshake or a session, this only destroys that socket or session.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.on('clientError', (_error: Error, socket: Socket) => socket.destroy());
  server.on('sessionError', (_error, session) => session.destroy());
  return sockets;
}

function listen(server: Http2SecureServer, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
