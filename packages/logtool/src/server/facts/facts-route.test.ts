import type { KubeClient } from '@logtool/kube/src/client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  appOf,
  type ServicesAround,
  servicesAround,
} from '../../../../../test/support/server/around-route.ts';
import { Frames } from '../../../../../test/support/server/frames.ts';
import { simClient } from '../../../../../test/support/server/sim-client.ts';
import { codeOf } from '../../../../../test/support/server/start-dashboard.ts';
import { FactsFrame, type FactsQuery, type WireFact } from '../../contract/facts.ts';
import { compareFacts, type Fact } from '../../domain/facts/fact.ts';

let cluster: SimCluster;
const clients: KubeClient[] = [];
const open: Frames<FactsFrame>[] = [];

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/permissions.yaml' });
});
afterEach(async () => {
  for (const frames of open.splice(0)) await frames.close();
});
afterAll(async () => {
  for (const client of clients) client.close();
  await cluster.close();
});

async function servicesOf(user?: string, allowedNamespaces?: readonly string[]): Promise<ServicesAround> {
  const client = await simClient(cluster, user);
  clients.push(client);
  return servicesAround(client, allowedNamespaces === undefined ? {} : { allowedNamespaces });
}

function post(services: ServicesAround, query: object) {
  return appOf('POST /contexts/{context}/facts', services).request('/contexts/sim/facts', {
    method: 'POST',
    body: JSON.stringify({ id: 7, ...query }),
    headers: { 'content-type': 'application/json' },
  });
}

async function ask(services: ServicesAround, query: Omit<FactsQuery, 'id'>): Promise<Frames<FactsFrame>> {
  const response = await post(services, query);
  expect(response.status).toBe(200);
  const frames = new Frames<FactsFrame>(response);
  open.push(frames);
  return frames;
}

const factsIn = (frames: readonly FactsFrame[]): readonly WireFact[] =>
  frames.flatMap((frame) => (frame.type === 'facts' ? frame.facts : []));

const codesIn = (frames: readonly FactsFrame[]) =>
  frames.map((frame) => (frame.type === 'notice' ? frame.code : frame.type));

function domainFact(fact: WireFact): Fact {
  const time = (text: string | undefined) => (text === undefined ? undefined : parseTimestamp(text));
  return { ...fact, at: time(fact.at), until: time(fact.until), since: time(fact.since) } as Fact;
}

function eventsOf(pod: string, count: number): void {
  const uid = String(cluster.store.get('pods', 'shop', pod)?.metadata.uid);
  for (let index = 0; index < count; index++) {
    const time = new Date(systemClock.now() - (count - index) * 100).toISOString().replace(/\.\d+/, '');
    cluster.store.create('events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${pod}.${index}`, namespace: 'shop' },
      involvedObject: { kind: 'Pod', namespace: 'shop', name: pod, uid },
      type: 'Warning',
      reason: 'Unhealthy',
      message: `Readiness probe failed: try ${index}`,
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      source: { component: 'kubelet' },
    });
  }
}

test('facts of a source come in order, all of the contract, then what was read', async () => {
  const frames = await ask(await servicesOf(), { sources: ['deployments/web'] });
  const all = await frames.rest();
  for (const frame of all) expect(FactsFrame.parse(frame)).toEqual(frame);
  expect(codesIn(all)).toEqual(['facts', 'read', 'done']);
  const facts = factsIn(all).map(domainFact);
  expect(facts.length).toBeGreaterThan(8);
  expect(facts).toEqual([...facts].sort(compareFacts));
  const [read] = all.filter((frame) => frame.type === 'read');
  const events = cluster.store.list('events', 'shop');
  const times = events.map(({ lastTimestamp, eventTime }) => Date.parse(String(lastTimestamp ?? eventTime)));
  expect(Date.parse(read?.eventsSince ?? '')).toBe(Math.min(...times));
});

test('a range leaves out what happened before and after', async () => {
  const services = await servicesOf();
  const day = 24 * 3_600_000;
  const at = (ms: number) => new Date(systemClock.now() + ms).toISOString();
  const before = await (await ask(services, { sources: ['deployments/web'], to: at(-day * 9) })).rest();
  const after = await (await ask(services, { sources: ['deployments/web'], from: at(day) })).rest();
  expect([factsIn(before), factsIn(after)]).toEqual([[], []]);
});

test('without permissions names each source of facts once, with the refusal, and continues with the others', async () => {
  const all = await (await ask(await servicesOf('ns-reader'), { sources: ['deployments/web'] })).rest();
  const denied = all.flatMap((frame) =>
    frame.type === 'notice' && 'cause' in frame ? [frame.cause?.denied] : [],
  );
  expect(denied.map((right) => [right?.verb, right?.resource, right?.namespace]).sort()).toEqual([
    ['get', 'nodes', undefined],
    ['list', 'events', 'default'],
    ['list', 'events', 'shop'],
  ]);
  expect(factsIn(all).map(({ kind }) => kind)).toContain('started');
  const [read] = all.filter((frame) => frame.type === 'read');
  expect(read?.eventsSince).toBeUndefined();
});

test('a source that does not exist is a notice, and the facts of the others come', async () => {
  const sources = ['deployments/web', 'deployments/none'];
  const all = await (await ask(await servicesOf(), { sources })).rest();
  expect(codesIn(all)).toEqual(['source-failed', 'facts', 'read', 'done']);
});

test('a broken query is an error: a range that ends and is followed, a time, a source', async () => {
  const services = await servicesOf();
  const ask = async (query: object) => {
    const answer = await post(services, query);
    return [answer.status, await codeOf(answer)];
  };
  const to = '2026-11-21T10:00:00Z';
  const sources = ['deployments/web'];
  expect(await ask({ sources, to, follow: true })).toEqual([400, 'bad-query']);
  expect(await ask({ sources, to: 'yesterday' })).toEqual([400, 'bad-request']);
  expect(await ask({ sources: [] })).toEqual([400, 'bad-request']);
  expect(await ask({ sources: ['/'] })).toEqual([400, 'bad-source']);
  expect([services.leases, services.open]).toEqual([0, 0]);
});

test('a crash comes while it is followed, in two tabs', { timeout: 60_000 }, async () => {
  const services = await servicesOf();
  const query = { sources: ['statefulsets/db'], follow: true };
  const tabs = [await ask(services, query), await ask(services, query)];
  for (const frames of tabs) await frames.until('read');
  expect([services.leases, services.open]).toEqual([2, 2]);
  await cluster.control.crashContainer({ namespace: 'shop', pod: 'db-0', container: 'postgres', code: 3 });
  for (const frames of tabs) {
    await frames.until('facts', ({ facts }) =>
      facts.some((fact) => fact.kind === 'exited' && fact.data.exitCode === 3),
    );
    await frames.until('facts', ({ facts }) => facts.some(({ kind }) => kind === 'restarted'));
  }
  for (const frames of tabs) await frames.close();
  expect([services.leases, services.open]).toEqual([0, 0]);
});

test('signing out ends a follow with its last line', async () => {
  const services = await servicesOf();
  const frames = await ask(services, { sources: ['deployments/web'], follow: true });
  await frames.until('read');
  services.closeAll('signed-out');
  expect((await frames.rest()).at(-1)).toEqual({ type: 'closing', reason: 'signed-out' });
  expect([services.leases, services.open]).toEqual([0, 0]);
});

test('ten thousand events come in order, in frames of a hundred', {
  timeout: 60_000,
}, async () => {
  const [pod] = cluster.store.list('pods').filter(({ metadata }) => metadata.name.startsWith('web-'));
  eventsOf(String(pod?.metadata.name), 10_000);
  const services = await servicesOf();
  const frames = await ask(services, { sources: ['deployments/web'] });
  const all = await frames.rest();
  const tries = factsIn(all).flatMap(({ message }) => /try (\d+)$/.exec(message)?.[1] ?? []);
  expect(tries.length).toBeGreaterThan(9_900);
  const facts = factsIn(all).map(domainFact);
  expect(facts).toEqual([...facts].sort(compareFacts));
  expect(Math.max(...all.map((frame) => (frame.type === 'facts' ? frame.facts.length : 0)))).toBe(100);
  expect(codesIn(all)).toContain('facts-cut');
});

test('where logtool may show only some namespaces, nothing of others and of nodes is asked for', async () => {
  const services = await servicesOf(undefined, ['shop']);
  const from = cluster.requests.length;
  const all = await (await ask(services, { sources: ['*:pods/*'] })).rest();
  expect([...new Set(factsIn(all).map(({ subject }) => subject.namespace))]).toEqual(['shop']);
  expect(codesIn(all)).toContain('facts-confined');
  const paths = cluster.requests.slice(from).map((request) => request.replace(/\?.*/, ''));
  expect(paths.filter((path) => /nodes|\/(?:other|default)\/|v1\/events/.test(path))).toEqual([]);
});
