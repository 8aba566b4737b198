import type { KubeClient } from '@logtool/kube/src/client.ts';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import { createKubeClient } from '@logtool/kube/src/create-client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planOf } from '../../../../test/support/resolve/follow.ts';
import { resolveSources } from '../resolve/resolve-sources.ts';
import { type FactsFrame, readFacts } from './read-facts.ts';

const NAMESPACES = Array.from({ length: 12 }, (_, index) => `team-${index}`);

let cluster: SimCluster;
const clients: KubeClient[] = [];

beforeAll(async () => {
  const verbs = ['get', 'list', 'watch'];
  const eventsOf = (namespace: string) => ({
    namespace,
    apiGroups: ['', 'events.k8s.io'],
    resources: ['events'],
    verbs,
  });
  cluster = await startSimCluster({
    scenario: {
      seed: 3,
      namespace: 'team-0',
      startDelays: 'none',
      nodes: [{ name: 'node-1' }],
      namespaces: [...NAMESPACES, 'elsewhere'],
      users: [
        { name: 'admin', rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
        {
          name: 'by-namespace',
          rules: [{ resources: ['pods', 'namespaces'], verbs }, ...NAMESPACES.map(eventsOf)],
        },
      ],
      workloads: [...NAMESPACES, 'elsewhere'].map((namespace) => ({
        kind: 'StatefulSet',
        name: 'db',
        namespace,
        containers: [{ name: 'app' }],
      })),
    },
  });
});

afterAll(async () => {
  for (const client of clients) client.close();
  await cluster.close();
});

async function read(user: string, sources: readonly string[]) {
  const connection = await openConnection({
    kubeconfig: cluster.kubeconfig,
    context: user,
    env: {},
    homeDirectory: '/nonexistent',
    clock: systemClock,
  });
  const client = createKubeClient(connection, { clock: systemClock, userAgent: 'logtool/test' });
  clients.push(client);
  const before = cluster.requests.length;
  const frames: FactsFrame[] = [];
  const context = { client, signal: new AbortController().signal, resolve: resolveSources };
  for await (const frame of readFacts(context, planOf(sources), { follow: false })) frames.push(frame);
  const facts = frames.flatMap((frame) => (frame.type === 'facts' ? frame.facts : []));
  const started = facts.filter(({ kind, reason }) => kind === 'event' && reason === 'Started');
  return {
    namespaces: started.map(({ subject }) => subject.namespace).sort(),
    requests: cluster.requests.slice(before).filter((request) => request.includes('/events')),
    notices: frames.flatMap((frame) => (frame.type === 'notice' ? frame : [])),
  };
}

test('the events of many namespaces are one list, of which those in view are taken', async () => {
  const { namespaces, requests } = await read('admin', ['team-*:pods/*']);
  expect(namespaces).toEqual([...NAMESPACES].sort());
  expect(requests.toSorted()).toEqual([
    'GET /apis/events.k8s.io/v1/events?limit=500',
    'GET /apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=regarding.kind%3DNode&limit=500',
  ]);
});

test('without permission for all of them it reads each namespace, and does not report the refusal', async () => {
  const { namespaces, requests, notices } = await read('by-namespace', ['team-*:pods/*']);
  expect(namespaces).toEqual([...NAMESPACES].sort());
  const own = requests.filter((request) => request.includes('/namespaces/team-'));
  expect(own).toHaveLength(NAMESPACES.length);
  // Events about nodes are in a namespace that the user may not read.
  expect(notices.flatMap(({ data }) => ('of' in data && data.of === 'events' ? data : []))).toEqual([
    { of: 'events', namespace: 'default' },
  ]);
});

test('the events of few namespaces are a list each', async () => {
  const { requests } = await read('admin', ['team-0:pods/*', 'team-1:pods/*']);
  expect(requests.filter((request) => request.includes('/namespaces/team-'))).toHaveLength(2);
  expect(requests.filter((request) => /\/v1\/events/.test(request))).toEqual([]);
});
