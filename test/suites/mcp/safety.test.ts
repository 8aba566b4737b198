import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { removeProgram, startHttp, startMcp, TRANSPORTS } from './start-mcp.ts';

const LONG = { namespace: 'default', pod: 'long', container: 'app' };
const LINES = 25_000;
const LINE_BYTES = 4_000;

let cluster: SimCluster;

beforeAll(async () => {
  cluster = await startSimCluster({
    scenario: {
      startDelays: 'none',
      clusterName: 'long',
      logMaxBytes: 1_000_000_000,
      nodes: [{ name: 'node-a' }],
      workloads: [{ kind: 'Pod', name: LONG.pod, containers: [{ name: LONG.container, lines: [] }] }],
    },
  });
  const filler = 'x'.repeat(LINE_BYTES - 20);
  for (let number = 0; number < LINES; number++)
    await cluster.writeLog(LONG, {
      bytes: Buffer.from(`${number % 1000 === 0 ? 'ERROR' : 'INFO'} ${number} ${filler}`),
    });
}, 120_000);
afterAll(async () => {
  await cluster.close();
  await removeProgram();
});

test.each(TRANSPORTS)(
  'a log of 100 MB is answered within the limit over %s',
  { timeout: 120_000 },
  async (transport) => {
    const mcp = await startMcp(transport, ['--kubeconfig', cluster.kubeconfig]);
    onTestFinished(() => mcp.close());
    const max_bytes = 16 * 1024;
    const newest = await mcp.call('logs', { source: 'pods/long' });
    expect(newest.text).toContain(`INFO ${LINES - 1} xxx`);
    const oldest = await mcp.call('logs', { source: 'pods/long', since: '1h' });
    expect(oldest.text).toContain('ERROR 0 xxx');
    const found = await mcp.call('logs', { source: 'pods/long', grep: '^ERROR 13000 ' });
    expect(found.text).toContain('ERROR 13000 xxx');
    const counted = await mcp.call('count', { source: 'pods/long', level: 'error' });
    expect(counted.structured).toMatchObject({ records: LINES, matches: LINES / 1000, truncated: false });
    for (const { text, structured } of [newest, oldest, found, counted]) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(max_bytes);
      expect(Buffer.byteLength(JSON.stringify(structured))).toBeLessThanOrEqual(max_bytes);
    }
  },
);

const SECRET = 'canary-token-0123456789';

test.each([
  ['does not exist', undefined],
  ['leads nowhere', `https://canary-server.invalid:6443`],
  ['is refused', 'http://127.0.0.1:9'],
])('of a kubeconfig whose server %s nothing leaves', async (_, server) => {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-mcp-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'canary-kubeconfig');
  const user = { name: 'canary-user', user: { token: SECRET } };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'canary-context',
    clusters: [{ name: 'canary-cluster', cluster: { server } }],
    contexts: [{ name: 'canary-context', context: { cluster: 'canary-cluster', user: 'canary-user' } }],
    users: [user],
  };
  if (server !== undefined) await writeFile(path, JSON.stringify(config));
  const mcp = await startMcp('stdio', ['--kubeconfig', path]);
  onTestFinished(() => mcp.close());
  for (const name of ['logs', 'count', 'find_workloads']) {
    const answered = await mcp.call(name, name === 'find_workloads' ? {} : { source: 'pods/web' });
    expect(answered.isError).toBe(true);
    expect(answered.text).toContain('ask the person who runs logtool: its standard error has the details');
    expect(answered.text + JSON.stringify(answered.structured)).not.toMatch(/canary|127\.0\.0\.1/);
  }
  await expect.poll(mcp.stderr).toContain(server === undefined ? path : 'canary-context');
  expect(mcp.stderr()).not.toContain(SECRET);
});

test('over HTTP lets in only the holder of the token, under a name of this machine, and no web page', async () => {
  const server = await startHttp(['--kubeconfig', cluster.kubeconfig]);
  onTestFinished(() => server.close());
  const statusOf = async (headers: Readonly<Record<string, string>>, url = server.url) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    await response.text();
    return response.status;
  };
  const authorization = `Bearer ${server.token}`;
  expect(server.token.length).toBeGreaterThanOrEqual(43);
  expect(await statusOf({})).toBe(401);
  expect(await statusOf({ authorization: `Bearer ${server.token.slice(0, -1)}` })).toBe(401);
  expect(await statusOf({ authorization: `Basic ${server.token}` })).toBe(401);
  expect(await statusOf({}, `${server.url}?token=${server.token}`)).toBe(401);
  expect(await statusOf({ authorization, origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf({ authorization, 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await statusOf({ authorization }, server.url.replace('/mcp', '/other'))).toBe(404);
  // The token is valid: the server now rejects a call without a session.
  expect(await statusOf({ authorization })).toBe(400);
});
