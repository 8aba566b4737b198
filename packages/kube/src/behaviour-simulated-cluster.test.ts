import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DEPLOYMENTS, NODES, PODS } from './builtin-resources.ts';
import type { KubeClient, KubeObject, ReflectorEvent } from './client.ts';
import { openConnection } from './connection/open-connection.ts';
import { createKubeClient } from './create-client.ts';
import { type Clock, systemClock } from './values/clock.ts';

const SCENARIO = 'scenarios/minimal.yaml';
let cluster: SimCluster;
const clients: KubeClient[] = [];

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: SCENARIO });
});
afterAll(() => cluster.close());
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  cluster.clearFaults();
});

async function connect(context?: string): Promise<KubeClient> {
  const connection = await openConnection({
    kubeconfig: cluster.kubeconfig,
    context,
    env: {},
    homeDirectory: '/nonexistent',
    clock: systemClock,
  });
  const client = createKubeClient(connection, { clock: quickClock(), userAgent: 'logtool/test' });
  clients.push(client);
  return client;
}

/** Returns the machine's clock with short waits: these tests check what happens, not when. */
function quickClock(): Clock {
  return {
    ...systemClock,
    after: (delayMs, callback) => systemClock.after(delayMs > 60_000 ? delayMs : delayMs / 50, callback),
  };
}

async function podNames(client: KubeClient): Promise<string[]> {
  const names: string[] = [];
  for await (const page of client.list(PODS, { namespace: 'default' })) {
    for (const item of page.items) names.push(item.metadata.name);
  }
  return names.sort();
}

test('lists, gets and discovers', async () => {
  const client = await connect();
  const names = await podNames(client);
  expect(names).toContain('hello');
  expect(names).toContain('db-0');
  const hello = await client.get(PODS, { namespace: 'default', name: 'hello' });
  expect(hello.metadata.uid).not.toBe('');
  const metadata = await client.getMetadata(DEPLOYMENTS, { namespace: 'default', name: 'web' });
  expect(metadata.kind).toBe('PartialObjectMetadata');
  const types = await client.discover();
  expect(types.some((type) => type.plural === 'deployments' && type.group === 'apps')).toBe(true);
});

test('access is what the roles say', async () => {
  const client = await connect('reader');
  const review = { verb: 'list', group: '', resource: 'pods' };
  expect(await client.review({ ...review, namespace: 'default' })).toBe(true);
  expect(await client.review({ ...review, namespace: 'shop' })).toBe(false);
  const nodes = client.list(NODES, {})[Symbol.asyncIterator]();
  await expect(nodes.next()).rejects.toMatchObject({ kind: 'forbidden' });
});

test('reads a log to its end', async () => {
  const client = await connect();
  const { body } = await client.log({ namespace: 'default', pod: 'hello', container: 'main' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('one\ntwo\nthree\n');
});

test.each([
  { kind: 'status', status: 429, retryAfterSeconds: 1 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'reset', afterBytes: 100 },
  { kind: 'clean-end', afterBytes: 100 },
  { kind: 'truncate-json', afterBytes: 100 },
  { kind: 'split', chunkBytes: 1 },
  { kind: 'delay', delayMs: 5 },
] as const)('a list comes through a fault: %o', async (fault) => {
  const client = await connect();
  const expected = await podNames(client);
  const hits = cluster.faultsHit;
  cluster.inject({ ...fault, match: 'GET /api/v1/namespaces/default/pods', times: 2 });
  expect(await podNames(client)).toEqual(expected);
  expect(cluster.faultsHit).toBeGreaterThan(hits);
});

test.each([
  { status: 403, kind: 'forbidden' },
  { status: 404, kind: 'not-found' },
  { status: 410, kind: 'gone' },
  { status: 401, kind: 'unauthorized' },
])('a list fails with $kind when the server says $status', async ({ status, kind }) => {
  const client = await connect();
  cluster.inject({ kind: 'status', status, match: 'GET /api/v1/namespaces/default/pods' });
  await expect(podNames(client)).rejects.toMatchObject({ kind, status });
});

test('distinguishes a reset in the middle of a log from its end', async () => {
  const client = await connect();
  cluster.inject({ kind: 'reset', afterBytes: 6, match: '/log', times: 1 });
  const { body } = await client.log({ namespace: 'default', pod: 'hello' });
  const read = async () => {
    for await (const _ of body);
  };
  await expect(read()).rejects.toMatchObject({ kind: 'connection' });
});

test('a reflector keeps up through dropped and expired watches and a restart of the server', async () => {
  const client = await connect();
  const present = new Set<string>();
  const controller = new AbortController();
  const waiting = new Set<() => void>();
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!condition()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const apply = (event: ReflectorEvent<KubeObject>) => {
    if (event.type === 'snapshot') {
      present.clear();
      for (const object of event.objects) present.add(object.metadata.name);
    } else if (event.type === 'changed') present.add(event.object.metadata.name);
    else if (event.type === 'deleted') present.delete(event.object.metadata.name);
    for (const check of waiting) check();
  };
  const watching = (async () => {
    const { signal } = controller;
    for await (const event of client.reflect(PODS, { namespace: 'default' }, { signal })) apply(event);
  })();
  const pod = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'main', image: 'registry.example.com/a:1' }] },
  });
  await until(() => present.has('hello'));

  cluster.inject({ kind: 'drop-watch', match: 'watch=true', times: 2 });
  await client.create(PODS, 'default', pod('first'));
  await until(() => present.has('first'));

  cluster.inject({ kind: 'expire-watch', match: 'watch=true', times: 1 });
  await cluster.stopServer();
  cluster.store.remove('pods', 'default', 'first');
  cluster.store.compact();
  await cluster.startServer();
  await until(() => !present.has('first'));

  await client.create(PODS, 'default', pod('second'));
  await until(() => present.has('second'));
  await client.delete(PODS, { namespace: 'default', name: 'second' }, { body: { gracePeriodSeconds: 0 } });
  await until(() => !present.has('second'));
  controller.abort();
  await watching;
});
