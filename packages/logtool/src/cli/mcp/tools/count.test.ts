import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { startSimCluster } from '@logtool/simcluster/src/start.ts';
import { expect, test } from 'vitest';
import { openReader } from '../../../../../../test/support/cli/open-reader.ts';
import { count } from './count.ts';

const NOON = Date.UTC(2026, 10, 22, 12);

/** Counts the records of a container that ended once; `faults`: what the node answers. */
async function countWith(faults: readonly object[]) {
  const cluster = await startSimCluster({
    scenario: {
      seed: 4,
      namespace: 'shop',
      namespaces: ['shop'],
      backfill: '30m',
      nodes: [{ name: 'node-1' }],
      faults,
      workloads: [
        {
          kind: 'Deployment',
          name: 'web',
          replicas: 1,
          containers: [{ name: 'app', logs: [{ format: 'plain', perSecond: 0.1 }] }],
        },
      ],
      timeline: [{ at: '-10m', action: 'crash', workload: 'deployments/web' }],
    },
    clock: new FakeClock(NOON),
  });
  try {
    const given = { source: 'deployments/web', since: '2026-11-22T11:00:00Z' };
    const reader = await openReader(cluster);
    const { structured } = await count.call(reader, count.input.parse(given), new AbortController().signal);
    return structured as unknown as { readonly summary: string; readonly truncated: boolean };
  } finally {
    await cluster.close();
  }
}

test('a previous run that the node refuses makes a count incomplete', async () => {
  const refused = { kind: 'status', match: 'log\\?.*previous=true', status: 404, text: 'gone' };
  const { summary, truncated } = await countWith([refused]);
  expect(summary).toContain('logtool did not count the whole range');
  expect(truncated).toBe(true);
});

test('a count of all runs is complete', async () => {
  const { summary, truncated } = await countWith([]);
  expect(summary).not.toContain('did not count the whole range');
  expect(truncated).toBe(false);
});
