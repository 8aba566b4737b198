import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { HEADER_LIMITS } from '../front-proxy/asked-by.ts';
import type { AnyRequest, AnyResponse } from './answers.ts';

export interface HttpsOptions {
  /** Default: all addresses. */
  readonly host?: string;
  /** 0: any that is free. */
  readonly port: number;
  /** The server's own key and certificate, PEM. */
  readonly key: string;
  readonly certificate: string;
  /** Answers a request; it handles what fails. */
  readonly answer: (request: AnyRequest, response: AnyResponse) => void;
}

export interface ServedHttps {
  readonly port: number;
  /** Proves itself with another certificate from the next connection on. */
  renew(own: Pick<HttpsOptions, 'key' | 'certificate'>): void;
  /** Ends all answers. */
  close(): Promise<void>;
}

/**
 * An API server multiplexes hundreds of logs on one connection, and Node.js refuses new ones while all of them hold
 * more than this, in MB; its default is 10.
 */
const SESSION_MEMORY_MB = 256;

/**
 * Serves HTTP/2 and HTTP/1.1 over TLS, and asks for client certificates without a judgment of them: that is made for
 * each request, because authorities are replaced while connections stay. Throws the system's error if it cannot listen.
 */
export async function serveHttps({
  key,
  certificate,
  host,
  port,
  answer,
}: HttpsOptions): Promise<ServedHttps> {
  const tls = { key, cert: certificate, requestCert: true, rejectUnauthorized: false, allowHTTP1: true };
  const limits = { ...HEADER_LIMITS, maxSessionMemory: SESSION_MEMORY_MB };
  const server = createSecureServer({ ...tls, ...limits } as Parameters<typeof createSecureServer>[0]);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', answer);
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    renew: (own) => server.setSecureContext({ key: own.key, cert: own.certificate }),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
