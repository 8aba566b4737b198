import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { answerFake } from './fake-api.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** As strict as the product's: what it refuses shows in the browser's console. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves a built page with the invented cluster. Resolves when it listens. */
export async function startPreview(
  folder: string,
  port = 0,
): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path.startsWith('/api/v1/')) {
      answerFake(request, response);
      return;
    }
    const name = extname(path) === '' ? 'index.html' : normalize(path);
    readFile(join(folder, name)).then(
      (content) => {
        response.setHeader('content-type', TYPES[extname(name)] ?? 'text/html; charset=utf-8');
        response.setHeader('content-security-policy', POLICY);
        response.end(content);
      },
      () => {
        response.statusCode = 404;
        response.end();
      },
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the preview has no port');
  return { server, url: `http://127.0.0.1:${address.port}` };
}
