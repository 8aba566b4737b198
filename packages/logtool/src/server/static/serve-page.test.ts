import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { folder } from '../../../../../test/support/connection/kubeconfig-folder.ts';
import { codeOf, startDashboard } from '../../../../../test/support/server/start-dashboard.ts';

const INDEX = `<!doctype html><head>
<meta name="logtool-token" content="" />
<meta name="logtool-base" content="" />
<link rel="stylesheet" crossorigin href="./assets/index-Abc_12-3.css">
<script type="module" crossorigin src="./assets/index-deadbeef.js"></script></head>`;
const SCRIPT = 'console.log("the page");';

async function page(options: Parameters<typeof startDashboard>[0] = {}) {
  const outside = await folder();
  const uiDirectory = join(outside, 'ui');
  await mkdir(join(uiDirectory, 'assets'), { recursive: true });
  await writeFile(join(outside, 'secret.txt'), 'secret');
  await writeFile(join(uiDirectory, 'index.html'), INDEX);
  await writeFile(join(uiDirectory, 'licenses.txt'), 'licenses');
  await writeFile(join(uiDirectory, 'assets', 'index-deadbeef.js'), SCRIPT);
  await writeFile(join(uiDirectory, 'assets', 'index-deadbeef.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(uiDirectory, 'assets', 'settings.cfg'), 'not a file of the page');
  await symlink(join(outside, 'secret.txt'), join(uiDirectory, 'assets', 'link-deadbeef.txt'));
  return startDashboard({ ...options, uiDirectory });
}

const tokenIn = (html: string) => /name="logtool-token" content="([^"]*)"/.exec(html)?.[1] ?? '';
const withoutToken = (html: string) => html.replace(tokenIn(html), '');

test('the page has its token and is never kept', async () => {
  const dashboard = await page();
  const answer = await dashboard.ask('/');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await answer.text();
  const token = tokenIn(html);
  expect(token).toMatch(/^[\w-]{43}$/);
  const asked = (given: string) =>
    dashboard.ask('/api/v1/contexts/here/workloads', { headers: { 'x-logtool-token': given } });
  expect((await asked(`${token}x`)).status).toBe(403);
  const streaming = await asked(token);
  expect(streaming.status).toBe(200);
  await streaming.body?.cancel();
  expect(html).toContain('<meta name="logtool-base" content="" />');
  expect(html).toContain('src="/assets/index-deadbeef.js"');
});

test('every view of the page is the page', async () => {
  const dashboard = await page();
  const html = await (await dashboard.ask('/')).text();
  for (const path of ['/index.html', '/console', '/console/deep', '/?context=a/b.c', '/c/arn%3Aaws%2Fx'])
    expect(withoutToken(await (await dashboard.ask(path)).text())).toBe(withoutToken(html));
});

test('below a path, addresses are of there', async () => {
  const dashboard = await page({ basePath: '/logs' });
  const html = await (await dashboard.ask('/logs/')).text();
  expect(html).toContain('<meta name="logtool-base" content="/logs" />');
  expect(html).toContain('src="/logs/assets/index-deadbeef.js"');
  expect(await (await dashboard.ask('/logs/assets/index-deadbeef.js')).text()).toBe(SCRIPT);
  expect((await dashboard.ask('/logs')).headers.get('location')).toBe('/logs/');
  expect((await dashboard.ask('/assets/index-deadbeef.js')).status).toBe(404);
  expect((await dashboard.ask('/logsy/')).status).toBe(404);
});

test('a person who is not signed in gets the page without a token', async () => {
  const dashboard = await page({ auth: 'token' });
  const html = await (await dashboard.ask('/')).text();
  expect(html).toContain('<meta name="logtool-token" content="" />');
  expect(html).toContain('<meta name="logtool-auth" content="token" />');
});

test('files with a hash in their name are kept forever, others are requested again', async () => {
  const dashboard = await page();
  const cacheOf = async (path: string) => (await dashboard.ask(path)).headers.get('cache-control');
  expect(await cacheOf('/assets/index-deadbeef.js')).toBe('public, max-age=31536000, immutable');
  expect(await cacheOf('/licenses.txt')).toBe('no-cache');
});

test.each([
  ['br', true],
  ['gzip, deflate, br, zstd', true],
  ['br;q=0.5', true],
  ['br;q=0, gzip', false],
  ['br; q=0.0', false],
  ['gzip', false],
  ['', false],
])('compressed where that is accepted: %j', async (accepted, compressed) => {
  const dashboard = await page();
  const answer = await dashboard.ask('/assets/index-deadbeef.js', {
    headers: { 'accept-encoding': accepted },
  });
  const body = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get('content-encoding')).toBe(compressed ? 'br' : null);
  expect(answer.headers.get('vary')).toBe('Accept-Encoding');
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(answer.headers.get('content-length')).toBe(String(body.length));
  expect(String(compressed ? brotliDecompressSync(body) : body)).toBe(SCRIPT);
});

test.each([
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
  '/assets/link-deadbeef.txt',
  '/assets/settings.cfg',
  '/assets/index-deadbeef.js%00.txt',
  '/__proto__.js',
  '/constructor.js',
])('nothing but the files of the page can be had: %s', async (path) => {
  const dashboard = await page();
  const answer = await dashboard.ask(path);
  expect([answer.status, await codeOf(answer)]).toEqual([404, 'no-such-route']);
});

test('a copy that was not built says so', async () => {
  const dashboard = await startDashboard({ uiDirectory: '/nowhere/ui' });
  const answer = await dashboard.ask('/');
  expect([answer.status, await codeOf(answer)]).toEqual([503, 'page-not-built']);
});
