import type { KubeClient } from '@logtool/kube/src/client.ts';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import { createKubeClient } from '@logtool/kube/src/create-client.ts';
import { FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planOf } from '../../../../test/support/resolve/follow.ts';
import { resolveSources } from '../resolve/resolve-sources.ts';
import { readFacts } from './read-facts.ts';

const NOON = Date.UTC(2026, 10, 22, 12);
let cluster: SimCluster;
let client: KubeClient;

beforeAll(async () => {
  const scenario = 'scenarios/happenings/scaled-down-old-pods.yaml';
  cluster = await startSimCluster({ scenario, clock: new FakeClock(NOON) });
  const { kubeconfig } = cluster;
  const home = { env: {}, homeDirectory: '/nonexistent', clock: systemClock };
  const connection = await openConnection({ kubeconfig, context: undefined, ...home });
  client = createKubeClient(connection, { clock: systemClock, userAgent: 'logtool/test' });
});

afterAll(async () => {
  client.close();
  await cluster.close();
});

/** Returns the names of the pods that the kubelet stopped, with random parts as X. */
async function stoppedPods(source: string): Promise<readonly string[]> {
  const context = { client, signal: new AbortController().signal, resolve: resolveSources };
  const names: string[] = [];
  for await (const frame of readFacts(context, planOf([source]), { follow: false }))
    if (frame.type === 'facts')
      for (const { reason, subject } of frame.facts) if (reason === 'Killing') names.push(subject.name);
  return names.map((name) => name.replace(/-[a-z0-9]{8,10}-[a-z0-9]{5}$/, '-X'));
}

// The cluster keeps no event about the creation of these pods: they are three hours old.
test.each([
  ['deployments/web', ['web-X', 'web-X']],
  ['deployments/web-api', ['web-api-X']],
  ['statefulsets/web', ['web-0']],
  ['pods/web-0', ['web-0']],
])(
  'the events of %s include those of its old pods that are gone, and of no neighbor',
  async (source, pods) => {
    expect(await stoppedPods(source)).toEqual(pods);
  },
);
