import type { KubeClient } from '@logtool/kube/src/client.ts';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  appOf,
  type ServicesAround,
  servicesAround,
} from '../../../../../test/support/server/around-route.ts';
import { Frames } from '../../../../../test/support/server/frames.ts';
import { simClient } from '../../../../../test/support/server/sim-client.ts';
import { type Workload, WorkloadFrame } from '../../contract/workload.ts';
import { REST_MS, wantedNamespaces } from './workloads-route.ts';

let cluster: SimCluster;
let client: KubeClient;
const open: Frames<WorkloadFrame>[] = [];

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
  client = await simClient(cluster);
});
afterEach(async () => {
  cluster.clearFaults();
  for (const frames of open.splice(0)) await frames.close();
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

function opener(services: ServicesAround) {
  const app = appOf('GET /contexts/{context}/workloads', services);
  return async (query = '') => {
    const response = await app.request(`/contexts/sim/workloads${query}`);
    expect(response.status).toBe(200);
    const frames = new Frames<WorkloadFrame>(response);
    open.push(frames);
    return frames;
  };
}

async function snapshotOf(frames: Frames<WorkloadFrame>): Promise<readonly Workload[]> {
  await frames.until('synced');
  return frames.seen.flatMap((frame) =>
    frame.type === 'snapshot' || frame.type === 'more' ? frame.workloads : [],
  );
}

/** Returns the names of the rows without an owner. */
const names = (rows: readonly Workload[]) =>
  rows
    .filter(({ ownerId }) => ownerId === undefined)
    .map(({ kindName, name }) => `${kindName} ${name}`)
    .sort();
/** Returns the rows that belong to a named row. */
const podsOf = (rows: readonly Workload[], name: string) => {
  const owner = rows.find((row) => row.name === name);
  return rows.filter(({ ownerId }) => ownerId !== undefined && ownerId === owner?.id);
};

test('a snapshot has a row for each workload that nothing above it owns, and is of the contract', async () => {
  const frames = await opener(servicesAround(client))();
  const rows = await snapshotOf(frames);
  for (const frame of frames.seen) expect(WorkloadFrame.safeParse(frame).error).toBeUndefined();
  expect(names(rows)).toEqual(['Deployment web', 'Pod hello', 'StatefulSet db']);
  expect(rows.find(({ name }) => name === 'web')).toMatchObject({
    kind: 'deployments',
    namespace: 'default',
    podsReady: 2,
    podsTotal: 2,
    restarts: 0,
    isFailing: false,
  });
  expect(rows.find(({ name }) => name === 'hello')).toMatchObject({ status: 'done', isFailing: false });
  // The page lists rows without an owner: they come first.
  expect(
    rows
      .slice(0, 3)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['db', 'hello', 'web']);
  expect(podsOf(rows, 'web')).toMatchObject([
    { kind: 'pods', podsReady: 1 },
    { kind: 'pods', podsReady: 1 },
  ]);
  expect(podsOf(rows, 'db')).toMatchObject([{ kind: 'pods', name: 'db-0' }]);
  expect(frames.seen[0]).toMatchObject({ type: 'snapshot', pods: 4 });
});

test('a browser that takes gzip gets the same list in a fraction of the bytes, and changes as they come', async () => {
  const app = appOf('GET /contexts/{context}/workloads', servicesAround(client));
  const packed = await app.request('/contexts/sim/workloads', { headers: { 'accept-encoding': 'gzip, br' } });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(packed.headers.get('vary')).toBe('accept-encoding');
  const body = packed.body?.pipeThrough(
    new DecompressionStream('gzip') as never,
  ) as ReadableStream<Uint8Array>;
  const frames = new Frames<WorkloadFrame>(new Response(body));
  open.push(frames);
  const plain = await opener(servicesAround(client))();
  expect(names(await snapshotOf(frames))).toEqual(names(await snapshotOf(plain)));
});

test('a change of a pod changes its row and that of its workload, and no other', async () => {
  const frames = await opener(servicesAround(client))();
  const rows = await snapshotOf(frames);
  await cluster.act({ action: 'scale', workload: 'deployments/web', replicas: 3 });
  const changes = await frames.until('changes', ({ changed }) =>
    changed.some(({ podsReady }) => podsReady === 3),
  );
  expect(changes.pods).toBe(5);
  const others = frames.seen.flatMap((frame) =>
    frame.type === 'changes' ? frame.changed.filter(({ name }) => !name.startsWith('web')) : [],
  );
  // Events come later than the first rows, and are the only change in the other rows.
  const unchanged = others.map(({ lastEvent: _, ...row }) => row);
  for (const row of unchanged) expect(rows.find(({ id }) => id === row.id)).toMatchObject(row);
  await cluster.act({ action: 'scale', workload: 'deployments/web', replicas: 2 });
  await frames.until('changes', ({ changed }) => changed.some(({ podsTotal }) => podsTotal === 2));
});

test('all tabs of a session share one watch of the cluster, which rests after the last and then ends', async () => {
  const { clock, endRest } = restClock();
  const services = servicesAround(client, { clock });
  const openTab = opener(services);
  const before = cluster.requests.length;
  const first = await openTab();
  await snapshotOf(first);
  const asked = cluster.requests.length - before;
  const second = await openTab();
  expect(names(await snapshotOf(second))).toHaveLength(3);
  expect(cluster.requests.length - before).toBe(asked);
  expect(services.open).toBe(2);
  await first.close();
  await cluster.act({ action: 'scale', workload: 'statefulsets/db', replicas: 2 });
  await second.until('changes', ({ changed }) => changed.some(({ podsReady }) => podsReady === 2));
  await cluster.act({ action: 'scale', workload: 'statefulsets/db', replicas: 1 });
  await second.until('changes', ({ changed }) => changed.some(({ podsTotal }) => podsTotal === 1));
  await second.close();
  expect(services).toMatchObject({ open: 0, leases: 1 });
  // Reloading a page reads nothing again.
  const again = cluster.requests.length;
  const third = await openTab();
  expect(names(await snapshotOf(third))).toHaveLength(3);
  expect(cluster.requests.length).toBe(again);
  await third.close();
  endRest();
  expect(services).toMatchObject({ open: 0, leases: 0 });
});

/** Returns the machine's clock, except that the test ends the rest period of a cluster's watch. */
function restClock(): { readonly clock: Clock; endRest(): void } {
  const resting = new Set<() => void>();
  const after = (delayMs: number, callback: () => void) => {
    if (delayMs !== REST_MS) return systemClock.after(delayMs, callback);
    resting.add(callback);
    return () => resting.delete(callback);
  };
  return {
    clock: { ...systemClock, after },
    endRest() {
      for (const callback of [...resting]) callback();
    },
  };
}

test('namespaces narrow the rows, and those that are not shown are refused', async () => {
  const services = servicesAround(client, { allowedNamespaces: ['shop'] });
  const app = appOf('GET /contexts/{context}/workloads', services);
  const response = await app.request('/contexts/sim/workloads?namespaces=default,shop');
  expect(response.status).toBe(403);
  expect(services).toMatchObject({ open: 0, leases: 0 });
  expect(await snapshotOf(await opener(services)())).toEqual([]);
  expect(await snapshotOf(await opener(servicesAround(client))('?namespaces=shop'))).toEqual([]);
});

test('without the right to list everywhere, known namespaces are shown, and each missing right is named', async () => {
  const reader = await simClient(cluster, 'reader');
  const frames = await opener(servicesAround(reader))('?namespaces=default,shop');
  const rows = await snapshotOf(frames);
  // Deployments are unreadable there: only their pods remain.
  expect(rows.map(({ kind }) => kind)).toEqual(['pods', 'pods', 'pods', 'pods']);
  const denied = frames.seen.flatMap((frame) =>
    frame.type === 'denied'
      ? `${frame.namespace}: ${frame.error.denied?.verb} ${frame.error.denied?.resource}`
      : [],
  );
  expect(denied).toContain('shop: list pods');
  expect(denied).toContain('default: list deployments.apps');
  expect(denied).not.toContain('default: list pods');
  await frames.close();
  reader.close();
});

test('reports a cluster that does not answer with the time of the next try, and shows it once it does', async () => {
  const own = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
  const away = await simClient(own);
  await own.stopServer();
  const frames = await opener(servicesAround(away))();
  const state = await frames.until('state');
  expect(state).toMatchObject({
    state: 'retrying',
    error: { code: 'unreachable', data: { problem: 'refused' } },
  });
  expect(state.retryInMs).toBeGreaterThanOrEqual(0);
  await own.startServer();
  expect(names(await snapshotOf(frames))).toHaveLength(3);
  await frames.until('state', (frame) => frame.state === 'live');
  await frames.close();
  away.close();
  await own.close();
});

test('without the right to watch it polls, and says so', async () => {
  cluster.inject({ kind: 'status', status: 403, match: 'pods\\?.*watch=' });
  const frames = await opener(servicesAround(client))();
  expect(await frames.until('state', ({ state }) => state === 'polling')).toMatchObject({ state: 'polling' });
});

test('names are read once each, none means all', () => {
  expect(wantedNamespaces(undefined, [])).toEqual([]);
  expect(wantedNamespaces(' , ', [])).toEqual([]);
  expect(wantedNamespaces('shop, web,shop', [])).toEqual(['shop', 'web']);
  expect(wantedNamespaces('shop', ['shop', 'web'])).toEqual(['shop']);
});

test.each(['..', 'a/b', 'Shop', '*', 'a\nb', 'x'.repeat(64)])('%j is the name of no namespace', (name) => {
  expect(() => wantedNamespaces(`shop,${name}`, [])).toThrow(
    expect.objectContaining({ code: 'bad-request' }),
  );
});

test('clients cannot make the server watch any number of namespaces', () => {
  const names = Array.from({ length: 2_001 }, (_, index) => `n${index}`);
  expect(wantedNamespaces(names.slice(1).join(','), [])).toHaveLength(2_000);
  expect(() => wantedNamespaces(names.join(','), [])).toThrow(
    expect.objectContaining({ code: 'bad-request' }),
  );
});

test('one that is not allowed is refused, whatever stands beside it', () => {
  expect(() => wantedNamespaces('shop,secret', ['shop'])).toThrow(
    expect.objectContaining({ code: 'namespace-not-allowed' }),
  );
});
