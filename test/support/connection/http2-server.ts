import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { selfSigned, type TestCertificate } from '../tls-server/certificates.ts';

/** Over HTTP/2, request and response are the http2 module's, with the same methods to read and write. */
export type AnyHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Http2Server {
  readonly url: string;
  readonly port: number;
  readonly certificate: TestCertificate;
  readonly server: Http2SecureServer;
  /** Every HTTP/2 connection, oldest first. */
  readonly sessions: readonly ServerHttp2Session[];
  /** `HTTP-VERSION METHOD path`, oldest first. */
  readonly requests: readonly string[];
  /** Resolves when a connection or request makes it true. */
  until(isSo: () => boolean): Promise<void>;
  /** Cuts every connection but keeps listening. */
  cutAll(): void;
  close(): Promise<void>;
}

/** Starts a real server on a free port of 127.0.0.1 that speaks HTTP/2 and HTTP/1.1, like API servers. */
export async function startHttp2Server(
  handler: AnyHandler,
  options: { readonly settings?: Settings; readonly certificate?: TestCertificate } = {},
): Promise<Http2Server> {
  const certificate = options.certificate ?? selfSigned();
  const sessions: ServerHttp2Session[] = [];
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const { changed, until } = changes();
  const server = createSecureServer({
    ...certificate,
    allowHTTP1: true,
    maxSessionMemory: 1000,
    ...(options.settings === undefined ? {} : { settings: options.settings }),
  });
  server.on('request', (request, response) => {
    requests.push(`${request.httpVersion} ${request.method} ${request.url}`);
    response.once('close', changed);
    handler(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    changed();
  });
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => {});
    session.once('close', changed);
    changed();
  });
  server.on('sessionError', () => {});
  server.on('tlsClientError', () => {});
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // Like API servers: otherwise an answer to a ping would wait for the acknowledgment of earlier data.
    socket.setNoDelay(true);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cutAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    certificate,
    server,
    sessions,
    requests,
    until,
    cutAll,
    async close() {
      cutAll();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Lets tests wait for a state; `changed` reports that it may be there. */
function changes(): { readonly changed: () => void; readonly until: (isSo: () => boolean) => Promise<void> } {
  const waiting = new Set<() => void>();
  const changed = () => {
    for (const check of waiting) check();
  };
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!isSo()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  return { changed, until };
}

/** Returns the stream of an answer over HTTP/2. */
export function streamOf(response: ServerResponse): ServerHttp2Stream {
  if ('stream' in response) return response.stream as ServerHttp2Stream;
  throw new Error('the answer goes over HTTP/1.1');
}
