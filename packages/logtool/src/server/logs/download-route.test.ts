import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  appOf,
  type ServicesAround,
  servicesAround,
} from '../../../../../test/support/server/around-route.ts';
import { startLongLog } from '../../../../../test/support/server/long-log.ts';
import { simClient } from '../../../../../test/support/server/sim-client.ts';
import { attachment, fileName } from './download-route.ts';

let cluster: SimCluster;
let client: KubeClient;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
  client = await simClient(cluster);
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

const all = { id: 1, selection: { kind: 'all' } };

function addressOf(query: object, format: string, name?: string): string {
  const parameters = new URLSearchParams({ query: JSON.stringify({ ...all, ...query }), format, token: 'x' });
  if (name !== undefined) parameters.set('name', name);
  return `/contexts/sim/logs/download?${parameters}`;
}

function get(services: ServicesAround, query: object, format: string, name?: string) {
  return appOf('GET /contexts/{context}/logs/download', services).request(addressOf(query, format, name));
}

test('text has each record with its time and place, in time order', async () => {
  const services = servicesAround(client);
  const response = await get(services, { sources: ['deployments/web'], allContainers: true }, 'text');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const lines = (await response.text()).trimEnd().split('\n');
  expect(lines).toHaveLength(8);
  expect(lines[0]).toMatch(/^2026-11-21T10:00:00\.123456789Z default\/web-\S+\/app GET \/healthz 200$/);
  const times = lines.map((line) => line.slice(0, 30));
  expect(times.toSorted()).toEqual(times);
  expect(services).toMatchObject({ open: 0, leases: 0 });
});

test('JSON Lines are those of logtool logs -o json', async () => {
  const response = await get(servicesAround(client), { sources: ['pods/hello'] }, 'jsonl');
  const lines = (await response.text()).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { message: 'one', pod: 'hello', namespace: 'default', container: 'main', timestamp: expect.any(String) },
    { message: 'two' },
    { message: 'three' },
  ]);
});

test('CSV has a head, quotes where it must, and nothing that a spreadsheet would run', async () => {
  const where = { namespace: 'default', pod: 'db-0', container: 'postgres' };
  for (const text of ['=1+1', 'a "b", c']) await cluster.writeLog(where, { bytes: Buffer.from(text) });
  const query = { sources: ['pods/db-0'], selection: { kind: 'tail', count: 2 } };
  const rows = (await (await get(servicesAround(client), query, 'csv')).text()).split('\r\n');
  expect(rows[0]).toBe('timestamp,namespace,pod,container,node,level,message');
  expect(rows[1]).toMatch(/^[^,]+,default,db-0,postgres,node-[ab],,"'=1\+1"$/);
  expect(rows[2]).toMatch(/,"a ""b"", c"$/);
  expect(rows[3]).toBe('');
});

test.each([
  [undefined, /^attachment; filename="pods-hello-2026[\d-]+\.log"$/],
  ['../../etc/passwd', /^attachment; filename="etc-passwd\.log"$/],
  ['a"\r\nx-evil: 1', /^attachment; filename="a-x-evil-1\.log"$/],
  ['größe.log', /^attachment; filename="gr__e\.log"; filename\*=UTF-8''gr%C3%B6%C3%9Fe\.log$/],
])('the file is named %s', async (name, header) => {
  const cluster2026 = servicesAround(client, {
    clock: { now: () => Date.UTC(2026, 10, 21), steady: () => 0, after: () => () => {} },
  });
  const response = await get(cluster2026, { sources: ['pods/hello'] }, 'text', name);
  expect(response.headers.get('content-disposition')).toMatch(header);
  await response.text();
});

test.each([
  ['what is not there', { sources: ['pods/helo'] }, 404, 'source-not-found'],
  ['what has no end', { sources: ['pods/hello'], follow: true }, 400, 'bad-request'],
  ['what is no source', { sources: ['pods/hel$lo'] }, 400, 'bad-source'],
])('%s is an answer of its own and no file', async (_, query, status, code) => {
  const services = servicesAround(client);
  const response = await get(services, query, 'text');
  expect({ status: response.status, body: await response.json() }).toMatchObject({
    status,
    body: { error: { code } },
  });
  expect(services).toMatchObject({ open: 0, leases: 0 });
});

test('an unreadable source leaves the others', async () => {
  const response = await get(servicesAround(client), { sources: ['pods/helo', 'pods/hello'] }, 'text');
  expect((await response.text()).split('\n')).toHaveLength(4);
});

test('a failure in the middle breaks the connection: no cut file passes for a whole one', async () => {
  const longCluster = await startLongLog();
  onTestFinished(() => longCluster.close());
  const longClient = await simClient(longCluster);
  onTestFinished(() => longClient.close());
  const services = servicesAround(longClient);
  const server = serve({
    fetch: appOf('GET /contexts/{context}/logs/download', services).fetch,
    port: 0,
    hostname: '127.0.0.1',
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${addressOf({ sources: ['pods/long'] }, 'text')}`);
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  await reader?.read();
  services.closeAll('signed-out');
  const rest = async () => {
    while ((await reader?.read())?.done === false);
  };
  await expect(rest()).rejects.toThrow();
  expect(services).toMatchObject({ open: 0, leases: 0 });
  await new Promise((resolve) => server.close(resolve));
});

const NOW = Date.parse('2026-11-21T10:00:00Z');

test('a file is named by what is asked for and when', () => {
  expect(fileName(undefined, ['shop:deployments/web'], 'log', NOW)).toBe(
    'shop-deployments-web-2026-11-21-100000.log',
  );
  expect(fileName(undefined, ['a', 'b'], 'csv', NOW)).toBe('a-and-more-2026-11-21-100000.csv');
});

test.each([
  ['../../etc/passwd', 'etc-passwd.log'],
  ['a"\r\nset-cookie: x=1', 'a-set-cookie-x-1.log'],
  ['web.log', 'web.log'],
  ['...', 'logs.log'],
  ['', 'logs.log'],
])('escapes a requested name: %j', (asked, name) => {
  expect(fileName(asked, [], 'log', NOW)).toBe(name);
});

test('a long name is cut, never in the middle of a character', () => {
  const name = fileName(`a${'𝒜'.repeat(100)}`, [], 'log', NOW);
  expect(name).toBe(`a${'𝒜'.repeat(59)}.log`);
  expect(attachment(name)).toBe(
    `attachment; filename="a${'_'.repeat(118)}.log"; filename*=UTF-8''${encodeURIComponent(name)}`,
  );
});
