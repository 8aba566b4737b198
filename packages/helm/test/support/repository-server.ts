import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { chartOf } from '../../../../test/support/helm/tiny-chart.ts';
import type { TestCertificate } from '../../../../test/support/tls-server/certificates.ts';
import { packChart } from '../../src/chart/pack-chart.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface RepositoryServer extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
  /** The requests, in order: path and Authorization. */
  readonly seen: { readonly path: string; readonly authorization: string | undefined }[];
  /** The files by path; tests may change them at any time. */
  readonly files: Map<string, string | Uint8Array | Handler>;
}

/** Starts a file server on a free port; with a certificate it uses TLS. It answers 404 for unknown paths. */
export async function startRepository(
  files: Readonly<Record<string, string | Uint8Array | Handler>>,
  certificate?: TestCertificate,
): Promise<RepositoryServer> {
  const held = new Map(Object.entries(files));
  const seen: { path: string; authorization: string | undefined }[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    seen.push({ path: request.url ?? '', authorization: request.headers.authorization });
    const file = held.get(path);
    if (file === undefined) response.writeHead(404).end();
    else if (typeof file === 'function') file(request, response);
    else response.end(file);
  };
  const server =
    certificate === undefined ? createServer(answer) : createTlsServer({ ...certificate }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    seen,
    files: held,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Serves content only to ada with the password s3cret. */
export function guarded(content: string | Uint8Array): Handler {
  const wanted = `Basic ${Buffer.from('ada:s3cret').toString('base64')}`;
  return (request, response) => {
    if (request.headers.authorization === wanted) response.end(content);
    else response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="charts"' }).end();
  };
}

export function redirectTo(location: string, status = 302): Handler {
  return (_request, response) => response.writeHead(status, { Location: location }).end();
}

/** Returns a packed chart without templates. */
export function packed(name: string, version: string): Uint8Array {
  return packChart(chartOf({ 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\n` }));
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns an index of archives, by their relative paths. */
export function indexOf(name: string, archives: Readonly<Record<string, Uint8Array>>): string {
  const entries = Object.entries(archives).map(([version, bytes]) =>
    [
      `  - apiVersion: v2`,
      `    name: ${name}`,
      `    version: ${version}`,
      `    created: 2026-11-21T10:00:00.123456789Z`,
      `    digest: ${sha256(bytes)}`,
      `    urls: [${name}-${version}.tgz]`,
    ].join('\n'),
  );
  return `apiVersion: v1\ngenerated: 2026-11-21T10:00:00Z\nentries:\n  ${name}:\n${entries.join('\n')}\n`;
}

/** Returns a whole repository with these versions of one chart. */
export function repositoryFiles(
  name: string,
  versions: readonly string[],
): Readonly<Record<string, string | Uint8Array>> {
  const archives = Object.fromEntries(versions.map((version) => [version, packed(name, version)]));
  return {
    '/index.yaml': indexOf(name, archives),
    ...Object.fromEntries(
      Object.entries(archives).map(([version, bytes]) => [`/${name}-${version}.tgz`, bytes]),
    ),
  };
}
