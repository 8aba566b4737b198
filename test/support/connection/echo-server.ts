import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ClusterConnection } from '@logtool/kube/src/connection/cluster-connection.ts';
import { selfSigned, type TestCertificate } from '../tls-server/certificates.ts';

/** What an API server saw of one request. */
export interface Echo {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Names and values, alternating, in order of arrival. */
  readonly rawHeaders: readonly string[];
  /** Fingerprint of the client's certificate; empty without one. */
  readonly client: string;
  /** The name in the client's TLS hello; empty without one. */
  readonly serverName: string;
  /** Whether the TLS session of an earlier connection was resumed. */
  readonly isResumed: boolean;
  /** Remote port: shows whether the client reused a socket. */
  readonly port: number;
}

export interface EchoServer {
  readonly url: string;
  readonly port: number;
  readonly certificate: TestCertificate;
  close(): Promise<void>;
}

/** Starts a real server on a free port of 127.0.0.1 that answers each request with a description of it. */
export async function startEchoServer(
  options: { readonly tls?: boolean; readonly certificate?: TestCertificate; readonly port?: number } = {},
): Promise<EchoServer> {
  const certificate = options.certificate ?? selfSigned();
  const answer = (incoming: IncomingMessage, response: import('node:http').ServerResponse) => {
    const { socket } = incoming;
    const secure = socket instanceof TLSSocket ? socket : undefined;
    const echo: Echo = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      rawHeaders: incoming.rawHeaders,
      client: secure?.getPeerCertificate().fingerprint256 ?? '',
      serverName: (secure as unknown as { servername?: string | false } | undefined)?.servername || '',
      isResumed: secure?.isSessionReused() ?? false,
      port: socket.remotePort ?? 0,
    };
    response.end(JSON.stringify(echo));
  };
  const server: Server =
    options.tls === false
      ? createServer(answer)
      : createTlsServer({ ...certificate, requestCert: true, rejectUnauthorized: false }, answer);
  server.on('tlsClientError', () => {});
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls === false ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    certificate,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends one GET through a connection, like the REST layer. */
export async function askThrough(connection: ClusterConnection, path = '/version'): Promise<Echo> {
  const headers = await connection.headers();
  const { protocol, hostname, port } = connection.server;
  const options = {
    agent: connection.agent(),
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    path,
    headers,
  };
  return new Promise((resolve, reject) => {
    request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
    })
      .once('error', reject)
      .end();
  });
}
