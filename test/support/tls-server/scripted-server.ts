import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ClusterConnection } from '@logtool/kube/src/connection/cluster-connection.ts';
import { selfSigned, type TestCertificate } from './certificates.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A real TLS server on a free port whose answers a test decides, one request after the other. */
export interface ScriptedServer {
  readonly url: URL;
  readonly certificate: TestCertificate;
  /** `METHOD path?query` of each request, in order. */
  readonly requests: readonly string[];
  readonly headers: readonly IncomingMessage['headers'][];
  /** Sockets accepted since the start. */
  readonly connections: number;
  /** Sets the handler of later requests. */
  handle(handler: Handler): void;
  /** Resolves once this many requests have arrived since the start. */
  waitForRequests(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startScriptedServer(handler: Handler): Promise<ScriptedServer> {
  const certificate = selfSigned();
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const waiting = new Set<() => void>();
  let connections = 0;
  let current = handler;
  const server = createServer(certificate, (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    for (const check of waiting) check();
    // Tests cut connections on purpose.
    response.on('error', () => {});
    current(request, response);
  });
  server.on('secureConnection', (socket) => {
    connections++;
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`https://127.0.0.1:${port}`),
    certificate,
    requests,
    headers,
    get connections() {
      return connections;
    },

    handle(next) {
      current = next;
    },

    waitForRequests(count) {
      return new Promise((resolve) => {
        const check = () => {
          if (requests.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    },

    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns a connection to a server with a trusted certificate; each refresh increments the token. */
export function connectTo(
  server: { readonly url: URL; readonly certificate: TestCertificate },
  overrides: Partial<ClusterConnection> = {},
): ClusterConnection & { readonly refreshes: number } {
  const agent = new Agent({ keepAlive: true, ca: server.certificate.cert });
  let refreshes = 0;
  return {
    context: 'test',
    server: server.url,
    namespace: 'shop',
    user: 'tester',
    agent: () => agent,
    http2: false,
    connect: () => Promise.reject(new Error('the tests use the agent')),
    headers: async () => ({ authorization: `Bearer token-${refreshes}` }),
    refresh: async () => {
      refreshes++;
      return true;
    },
    close: () => agent.destroy(),
    ...overrides,
    get refreshes() {
      return refreshes;
    },
  };
}

/** Sends a value as JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/** Sends a Status like API servers. */
export function sendStatus(
  response: ServerResponse,
  code: number,
  fields: { readonly reason?: string; readonly message?: string; readonly [field: string]: unknown } = {},
  headers: Readonly<Record<string, string>> = {},
): void {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...fields, code };
  sendJson(response, code, status, headers);
}
