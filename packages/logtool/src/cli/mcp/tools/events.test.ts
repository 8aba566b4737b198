import { join, resolve } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReader } from '../../../../../../test/support/cli/open-reader.ts';
import { events } from './events.ts';
import { logs } from './logs.ts';

const SCENARIOS = resolve(import.meta.dirname, '../../../../../../scenarios');

let cluster: SimCluster;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: join(SCENARIOS, 'permissions.yaml') });
}, 60_000);
afterAll(() => cluster.close());

interface Happened {
  readonly events: readonly { readonly time: string; readonly object: string; readonly reason: string }[];
  readonly total: number;
  readonly truncated: boolean;
  readonly nextOffset?: number;
}

const never = new AbortController().signal;

async function call(given: Readonly<Record<string, unknown>>, allowedNamespaces: readonly string[] = []) {
  const reader = { ...(await openReader(cluster)), allowedNamespaces };
  const { text, structured } = await events.call(reader, events.input.parse(given), never);
  return { text, structured: structured as unknown as Happened };
}

test('events reports what happened to a workload, its pods and their nodes, in order', async () => {
  const { text, structured } = await call({ source: 'deployments/web' });
  const kinds = new Set(structured.events.map(({ object }) => object.split('/').at(-2)));
  expect(structured.truncated).toBe(false);
  expect(structured.total).toBe(structured.events.length);
  // A time in whole seconds is any time within its second.
  const seconds = structured.events.map(({ time }) => Math.floor(Date.parse(time) / 1000));
  expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
  expect(structured.events.map(({ reason }) => reason)).toContain('Started');
  expect([...kinds].length).toBeGreaterThan(1);
  expect(text).toContain('--- begin log data');
});

test('an answer that has no room for all events says so, and offsets lead to each once', async () => {
  const all = (await call({ source: 'deployments/web', max_bytes: 200_000 })).structured;
  const pages: Happened['events'][] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const { text, structured } = await call({ source: 'deployments/web', max_bytes: 1500, offset });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1500);
    expect(Buffer.byteLength(JSON.stringify(structured))).toBeLessThanOrEqual(1500);
    expect(structured.events.length).toBeGreaterThan(0);
    if (structured.truncated) expect(text).toContain(`offset=${structured.nextOffset} continues`);
    pages.push(structured.events);
    offset = structured.nextOffset;
  }
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.toReversed().flat()).toEqual(all.events);
});

test('if only one namespace is allowed, reports nothing about nodes', async () => {
  const { namespace } = (await (await openReader(cluster)).client()).cluster;
  const { text, structured } = await call({ source: 'deployments/web' }, [namespace]);
  expect(structured.events.length).toBeGreaterThan(0);
  expect(structured.events.filter(({ object }) => !object.startsWith(`${namespace}/`))).toEqual([]);
  expect(text).not.toContain(' node/');
  await expect(call({ source: 'elsewhere:deployments/web' }, [namespace])).rejects.toMatchObject({
    code: 'namespace-not-allowed',
  });
});

test('a source that does not exist is an error', async () => {
  await expect(call({ source: 'deployments/nothing-like-it' })).rejects.toMatchObject({
    code: 'source-not-found',
  });
});

test.each([
  ['logs', { source: 'pods/web-*' }],
  ['events', { source: 'deployments/web' }],
] as const)('%s stops after 25 seconds and says so', async (name, given) => {
  const clock = new FakeClock();
  cluster.inject({ kind: 'stall', match: '/pods', afterBytes: 0 });
  const reader = await openReader(cluster, clock);
  const before = cluster.requests.length;
  const called =
    name === 'logs'
      ? logs.call(reader, logs.input.parse(given), never)
      : events.call(reader, events.input.parse(given), never);
  const outcome = called.then(
    () => 'answered',
    (error: { readonly code?: string }) => error.code,
  );
  try {
    await expect.poll(() => cluster.requests.length).toBeGreaterThan(before);
    await expect.poll(() => clock.pending).toBeGreaterThan(0);
    await clock.advance(24_999);
    expect(await Promise.race([outcome, Promise.resolve('reading')])).toBe('reading');
    await clock.advance(1);
    expect(await outcome).toBe('read-too-slow');
  } finally {
    cluster.clearFaults();
  }
});
