import { join, resolve } from 'node:path';
import { EVENTS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import { createKubeClient } from '@logtool/kube/src/create-client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planOf } from '../../../../test/support/resolve/follow.ts';
import { noticeText } from '../cli/messages/notice-text.ts';
import type { Fact } from '../domain/facts/fact.ts';
import { resolveSources } from '../resolve/resolve-sources.ts';
import type { FactQuery } from './fact-feed.ts';
import { type FactsFrame, readFacts } from './read-facts.ts';

let cluster: SimCluster;
const clients: KubeClient[] = [];

beforeAll(async () => {
  const scenario = join(resolve(import.meta.dirname, '../../../../scenarios'), 'permissions.yaml');
  cluster = await startSimCluster({ scenario });
});

afterAll(async () => {
  for (const client of clients) client.close();
  await cluster.close();
});

async function clientOf(user?: string): Promise<KubeClient> {
  const connection = await openConnection({
    kubeconfig: cluster.kubeconfig,
    context: user,
    env: {},
    homeDirectory: '/nonexistent',
    clock: systemClock,
  });
  const client = createKubeClient(connection, { clock: systemClock, userAgent: 'logtool/test' });
  clients.push(client);
  return client;
}

async function framesOf(
  user: string | undefined,
  source: string,
  query: Partial<FactQuery> = {},
): Promise<readonly FactsFrame[]> {
  const frames: FactsFrame[] = [];
  const context = {
    client: await clientOf(user),
    signal: new AbortController().signal,
    resolve: resolveSources,
  };
  for await (const frame of readFacts(context, planOf([source]), { follow: false, ...query }))
    frames.push(frame);
  return frames;
}

const factsIn = (frames: readonly FactsFrame[]): readonly Fact[] =>
  frames.flatMap((frame) => (frame.type === 'facts' ? frame.facts : []));

/** Formats `pod ready`, each once. */
const summaryOf = (facts: readonly Fact[]) => [
  ...new Set(facts.map(({ source, kind, reason }) => [source, kind, reason].filter(Boolean).join(' '))),
];

const textsIn = (frames: readonly FactsFrame[]) =>
  frames.flatMap((frame) => (frame.type === 'notice' ? noticeText(frame) : []));

test('facts come from pods, events, workloads and nodes, in order', async () => {
  const facts = factsIn(await framesOf(undefined, 'deployments/web'));
  expect(summaryOf(facts).sort()).toEqual([
    'event event Created',
    'event event Pulled',
    'event event ScalingReplicaSet',
    'event event Scheduled',
    'event event Started',
    'event event SuccessfulCreate',
    'pod ready',
    'pod scheduled',
    'pod started',
    'workload rollout',
    'workload workload-condition MinimumReplicasAvailable',
    'workload workload-condition NewReplicaSetAvailable',
  ]);
  const others = facts.filter(({ subject }) => !/^(?:web-|web$)/.test(subject.name));
  expect(others).toEqual([]);
});

test('facts cost one list of events a namespace and one of nodes, and owners and revisions once', async () => {
  const before = cluster.requests.length;
  await framesOf(undefined, 'deployments/web');
  const requests = cluster.requests
    .slice(before)
    .map((request) => request.replaceAll(/web-[a-z0-9]+/g, 'web-X'));
  expect(requests.filter((request) => /events|nodes|replicasets\?/.test(request)).sort()).toEqual([
    'GET /api/v1/nodes/node-a',
    'GET /api/v1/nodes/node-b',
    // The first is the resolution's own.
    'GET /apis/apps/v1/namespaces/shop/replicasets?labelSelector=app.kubernetes.io%2Fname%3Dweb&limit=500',
    'GET /apis/apps/v1/namespaces/shop/replicasets?labelSelector=app.kubernetes.io%2Fname%3Dweb&limit=500',
    'GET /apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=regarding.kind%3DNode&limit=500',
    'GET /apis/events.k8s.io/v1/namespaces/shop/events?limit=500',
  ]);
});

test('without permission for events and nodes it reads the others, and names each missing permission once', async () => {
  const frames = await framesOf('ns-reader', 'deployments/web');
  expect(
    textsIn(frames)
      .map((text) => text.replace(/node-[ab]/, 'node-X'))
      .sort(),
  ).toEqual([
    'changes of nodes do not appear: you lack permission to get node node-X',
    'events in namespace default do not appear: you lack permission to list events in namespace default',
    'events in namespace shop do not appear: you lack permission to list events in namespace shop',
  ]);
  expect(summaryOf(factsIn(frames)).sort()).toEqual([
    'pod ready',
    'pod scheduled',
    'pod started',
    'workload rollout',
    'workload workload-condition MinimumReplicasAvailable',
    'workload workload-condition NewReplicaSetAvailable',
  ]);
});

test('without the right to workloads a pod still has its own facts', async () => {
  const frames = await framesOf('named-only', 'pods/db-0');
  expect(
    textsIn(frames)
      .map((text) => text.replace(/node-[ab]/, 'node-X'))
      .sort(),
  ).toEqual([
    'changes of nodes do not appear: you lack permission to get node node-X',
    'events in namespace default do not appear: you lack permission to list events in namespace default',
    'events in namespace shop do not appear: you lack permission to list events in namespace shop',
    'rollouts in namespace shop do not appear: you lack permission to get statefulset.apps db in namespace shop',
  ]);
  expect(summaryOf(factsIn(frames))).toEqual(['pod scheduled', 'pod started', 'pod ready']);
});

test('a user without any right gets the failure of the source', async () => {
  const frames = await framesOf('nobody', 'deployments/web');
  expect(frames.map((frame) => (frame.type === 'failed' ? frame.error.code : frame.type))).toEqual([
    'forbidden',
    'read',
  ]);
});

test('a window leaves out what happened before and after', async () => {
  const [first] = factsIn(await framesOf(undefined, 'deployments/web'));
  const seconds = (first?.at.seconds ?? 0) - 1;
  expect(factsIn(await framesOf(undefined, 'deployments/web', { to: { seconds, nanos: 0 } }))).toEqual([]);
  const from = { seconds: seconds + 3_600, nanos: 0 };
  expect(factsIn(await framesOf(undefined, 'deployments/web', { from }))).toEqual([]);
});

/** What a follow gives of a crash of db-0. */
const CRASH = ['exited db-0 Error', 'restarted db-0', 'event db-0 Started'];

test('a follow gives a crash as it happens: exit, loss of readiness, restart', {
  timeout: 60_000,
}, async () => {
  const abort = new AbortController();
  const context = { client: await clientOf(), signal: abort.signal, resolve: resolveSources };
  const seen = new Set<string>();
  let isRead = false;
  const before = cluster.requests.length;
  const reading = async () => {
    for await (const frame of readFacts(context, planOf(['statefulsets/db']), { follow: true })) {
      if (frame.type === 'read') {
        isRead = true;
        await cluster.control.crashContainer({
          namespace: 'shop',
          pod: 'db-0',
          container: 'postgres',
          code: 3,
        });
      }
      if (frame.type !== 'facts' || !isRead) continue;
      for (const { kind, subject, reason } of frame.facts)
        seen.add(`${kind} ${subject.name} ${reason}`.trim());
      if (CRASH.every((fact) => seen.has(fact))) abort.abort(new Error('seen'));
    }
  };
  await expect(reading()).rejects.toThrow('seen');
  const watches = cluster.requests.slice(before).filter((request) => /watch=(?:true|1)/.test(request));
  expect(watches.filter((request) => request.includes('/shop/events'))).toHaveLength(1);
});

test('a follow that nobody reads takes no more from the cluster than waits for its reader', {
  timeout: 60_000,
}, async () => {
  const abort = new AbortController();
  const client = await clientOf();
  let events = 0;
  const counting: KubeClient = {
    ...client,
    async *reflect(type, ...rest) {
      for await (const event of client.reflect(type, ...rest)) {
        if (type.plural === 'events' && event.type === 'changed') events++;
        yield event as never;
      }
    },
  };
  const context = { client: counting, signal: abort.signal, resolve: resolveSources };
  const frames = readFacts(context, planOf(['statefulsets/db']), { follow: true });
  for (;;) if ((await frames.next()).value?.type === 'read') break;
  const subject = cluster.store.get('pods', 'shop', 'db-0');
  for (let index = 0; index < 4_000; index++)
    cluster.store.create('events', {
      metadata: { name: `flood.${index}`, namespace: 'shop' },
      involvedObject: { kind: 'Pod', namespace: 'shop', name: 'db-0', uid: subject?.metadata.uid },
      reason: 'Flood',
      firstTimestamp: new Date().toISOString().replace(/\.\d+/, ''),
    });
  const seen = () => events;
  await expect.poll(seen, { timeout: 20_000 }).toBeGreaterThan(1_900);
  // The waiting facts stay below the limit, however long nobody reads.
  for await (const _ of client.list(EVENTS, { namespace: 'shop' }, { signal: abort.signal }));
  expect(seen()).toBeLessThan(2_100);
  let found = 0;
  while (found < 4_000) {
    const { value } = await frames.next();
    if (value?.type === 'facts') found += value.facts.filter(({ reason }) => reason === 'Flood').length;
  }
  abort.abort(new Error('seen'));
  await expect(frames.next()).rejects.toThrow('seen');
  for (const { metadata } of cluster.store.list('events', 'shop'))
    if (metadata.name.startsWith('flood.')) cluster.store.remove('events', 'shop', metadata.name);
});

test('a follow reports at once that the cluster is away', { timeout: 60_000 }, async () => {
  const abort = new AbortController();
  const context = { client: await clientOf(), signal: abort.signal, resolve: resolveSources };
  const frames = readFacts(context, planOf(['statefulsets/db']), { follow: true });
  const until = async (isIt: (frame: FactsFrame) => boolean) => {
    for (;;) {
      const { value, done } = await frames.next();
      if (done || isIt(value)) return;
    }
  };
  await until(({ type }) => type === 'read');
  await cluster.stopServer();
  await until((frame) => frame.type === 'notice' && frame.code === 'cluster-away');
  await cluster.startServer();
  await until((frame) => frame.type === 'notice' && frame.code === 'cluster-back');
  abort.abort(new Error('seen'));
  await expect(until(() => false)).rejects.toThrow('seen');
});
