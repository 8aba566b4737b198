import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveFile } from './serve-file.ts';

const RECORDED = join(import.meta.dirname, '../../../../../test/recorded/nodes');
const BASE = '/api/v1/nodes/node1/proxy/logs';
const POD = 'pods/truth_two_cde6bfbe-75ff-47d2-b39f-a8dc37ea3d40';

interface Recording {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly bodyBytes?: number;
    readonly body?: string;
    readonly bodyBase64?: string;
  };
}

/** Headers of an answer that the connection and the API server add, or that the body determines. */
const OF_OTHERS = new Set(['audit-id', 'cache-control', 'connection', 'date', 'content-length']);

/** These are answered before the file server, or have their own boundary. */
const ELSEWHERE = /^(node-not-found|disabled-|proxy-|stats-|logs-root-no-slash|range-multi$)/;

let root: string;
const recordings: Recording[] = [];
for (const file of await readdir(RECORDED)) {
  const parsed = JSON.parse(await readFile(join(RECORDED, file), 'utf8')) as Omit<Recording, 'name'>;
  recordings.push({ name: file.replace(/\.json$/, ''), ...parsed });
}
const bodyOf = (name: string) => {
  const { body, bodyBase64 } = recordings.find((recording) => recording.name === name)?.response ?? {};
  return bodyBase64 === undefined ? Buffer.from(body ?? '') : Buffer.from(bodyBase64, 'base64');
};

/** Creates the node's /var/log as it was when the recordings were made. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'var-log-'));
  const log = `${POD}/streams/0.log`;
  const files: Readonly<Record<string, Buffer | string>> = {
    [log]: bodyOf('file'),
    'probe/a b&c<d>é%20.log': 'x\n',
    'probe/dir-with-index/index.html': bodyOf('list-with-index'),
    'probe/empty-file': '',
    'probe/fake.gz': 'plain',
    'probe/fifo': '',
    'probe/noext-gz': bodyOf('gz-no-extension'),
    'probe/noext-html': '<html>',
    'probe/one-byte': bodyOf('file-no-accept'),
    'probe/page.html': '<html>',
    'probe/plain.log': 'x',
    'probe/plain.log.gz': bodyOf('gz'),
    'probe/q?x#y.log': 'y\n',
    'probe/random.bin': bodyOf('random-bytes'),
    'outside/file': bodyOf('link-outside'),
    'pods/truth_quick_de55b6cf-5c3e-4d4d-8d5d-1806ef8f6707/main/0.log': '',
  };
  const folder = 'pods/truth_quick_de55b6cf-5c3e-4d4d-8d5d-1806ef8f6707/main';
  const rotated = ['132630.gz', '132651.gz', '132712.gz', '132733'].map(
    (end) => [`${folder}/0.log.20261122-${end}`, ''] as const,
  );
  for (const [name, content] of [...Object.entries(files), ...rotated]) {
    const path = name.startsWith('outside/')
      ? join(root, '..', `${root.split('/').at(-1)}-${name}`)
      : join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  for (const name of ['a dir & <b>', 'empty']) await mkdir(join(root, 'probe', name));
  await mkdir(join(root, 'containers'));
  const links: Readonly<Record<string, string>> = {
    'probe/link-dangling': 'nowhere',
    'probe/link-outside': `${root}-outside/file`,
    'probe/link-to-dir': 'empty',
    'probe/loop1': 'loop2',
    'probe/loop2': 'loop1',
    'containers/two_truth_streams-9383c79764dcd1377c1e4dcdbfb2081170e67b1a79aedd3829096d168ae5e945.log': `../${log}`,
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(root, name));
  // Start with the deepest: a change in a directory updates its own time.
  for (const { request, response } of recordings.toSorted((a, b) => depth(b) - depth(a))) {
    const modified = response.headers?.['Last-Modified'];
    if (modified === undefined) continue;
    const date = new Date(modified);
    const path = decodeURIComponent(new URL(request.path, 'http://node').pathname.slice(BASE.length));
    const served = path.endsWith('dir-with-index/') ? `${path}index.html` : path;
    await utimes(join(root, served), date, date).catch(() => undefined);
  }
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
  await rm(`${root}-outside`, { recursive: true, force: true });
});

const depth = ({ request }: Recording) => request.path.split('/').length;

const replayed = recordings.filter(
  ({ name, request }) => !ELSEWHERE.test(name) && request.path.startsWith(BASE),
);

test.each(replayed)('answers as the kubelet did: $name', async ({ request, response }) => {
  const { path, query } = split(request.path.slice(BASE.length));
  const answer = await serveFile(root, path, { ...request, path, query });
  const body = answer.body === undefined ? '' : await bytesOf(answer.body);
  expect(answer.status).toBe(response.status);
  const headers = Object.entries(response.headers ?? {}).filter(
    ([name]) => !OF_OTHERS.has(name.toLowerCase()),
  );
  for (const [name, value] of headers)
    expect([name, answer.headers[name.toLowerCase()]]).toEqual([name, value]);
  const { bodyBytes } = response;
  if (bodyBytes === undefined || request.method === 'HEAD' || path === '/pods/') return;
  expect(body.length).toBe(bodyBytes);
  const recorded = response.bodyBase64 === undefined ? response.body : undefined;
  if (recorded !== undefined && Buffer.byteLength(recorded) === bodyBytes)
    expect(String(body)).toBe(recorded);
});

test('several ranges come as the parts of one body', async () => {
  const recorded = recordings.find(({ name }) => name === 'range-multi');
  if (recorded === undefined) throw new Error('not recorded');
  const { path, query } = split(recorded.request.path.slice(BASE.length));
  const answer = await serveFile(root, path, { ...recorded.request, path, query });
  const boundary = /boundary=(.*)$/.exec(answer.headers['content-type'] ?? '')?.[1] ?? '';
  const boundaryThen = /boundary=(.*)$/.exec(recorded.response.headers?.['Content-Type'] ?? '')?.[1] ?? '';
  const body = String(await bytesOf(answer.body));
  expect(body.replaceAll(boundary, 'B')).toBe(recorded.response.body?.replaceAll(boundaryThen, 'B'));
  expect(answer.headers['content-length']).toBe(String(body.length));
});

/** Splits a path as a client sends it: the server must resolve dots. */
function split(path: string): { readonly path: string; readonly query: URLSearchParams } {
  const [own = '', query = ''] = path.split('?');
  return { path: own, query: new URLSearchParams(query) };
}

async function bytesOf(body: string | AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  if (typeof body === 'string' || body === undefined) return Buffer.from(body ?? '');
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
