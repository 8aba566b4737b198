import type { KubeClient } from '@logtool/kube/src/client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { simClient } from '../../../../../test/support/server/sim-client.ts';
import { listChoices } from './list-choices.ts';

let cluster: SimCluster;
let client: KubeClient;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/permissions.yaml' });
  client = await simClient(cluster);
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

function list(namespaces: readonly string[] | undefined, on = client) {
  return listChoices(on, { clock: systemClock, signal: new AbortController().signal, namespaces });
}

test('workloads come before pods, with their states', async () => {
  const { choices, notices } = await list(['shop']);
  expect(notices).toEqual([]);
  const sources = choices.map(({ source }) => source);
  expect(sources).toContain('statefulsets/db');
  expect(sources).toContain('pods/db-0');
  expect(sources.indexOf('statefulsets/db')).toBeLessThan(sources.indexOf('pods/db-0'));
  expect(choices.find(({ source }) => source === 'statefulsets/db')?.state).toMatch(/^\d+\/\d+$/);
});

test('over all namespaces each source names its own', async () => {
  const { choices } = await list(undefined);
  const namespaces = new Set(choices.map(({ source }) => source.split(':')[0]));
  expect([...namespaces].sort()).toEqual(['other', 'shop']);
});

test('names kinds that may not be listed, and offers the others', async () => {
  const reader = await simClient(cluster, 'ns-reader');
  const { choices, notices } = await list(['shop'], reader);
  reader.close();
  const sources = choices.map(({ source }) => source);
  expect(sources).toEqual(expect.arrayContaining(['statefulsets/db', 'pods/db-0']));
  expect(notices.map((notice) => notice.split(':')[0]).sort()).toEqual([
    'logtool could not list cronjobs',
    'logtool could not list jobs',
  ]);
});

test('where nothing may be listed, that is the error', async () => {
  const nobody = await simClient(cluster, 'nobody');
  await expect(list(['shop'], nobody)).rejects.toMatchObject({ code: expect.stringContaining('forbidden') });
  nobody.close();
});
