import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReader } from '../../../../../../test/support/cli/open-reader.ts';
import { patientClock } from '../../../../../../test/support/patient-clock.ts';
import { findWorkloads } from './find-workloads.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const LOGS = [{ format: 'plain', perSecond: 0.1 }];
let cluster: SimCluster;

/** `web`: its readiness probe has failed for ten minutes; nothing of its state names a failure. */
beforeAll(async () => {
  cluster = await startSimCluster({
    clock: new FakeClock(NOW),
    scenario: {
      seed: 7,
      backfill: '30m',
      namespace: 'shop',
      namespaces: ['shop'],
      nodes: [{ name: 'node-1' }],
      users: [
        { name: 'admin' },
        {
          name: 'no-pods',
          namespace: 'shop',
          rules: [{ apiGroups: ['apps'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
        },
      ],
      workloads: [
        { kind: 'Deployment', name: 'api', replicas: 2, containers: [{ name: 'app', logs: LOGS }] },
        {
          kind: 'Deployment',
          name: 'web',
          replicas: 2,
          containers: [
            {
              name: 'app',
              spec: { readinessProbe: { httpGet: { path: '/ready', port: 80 }, periodSeconds: 5 } },
              probes: [{ probe: 'readiness', from: '-10m', answer: 503 }],
              logs: LOGS,
            },
          ],
        },
      ],
    },
  });
}, 60_000);
afterAll(() => cluster.close());

async function found(given: Readonly<Record<string, unknown>>, context?: string) {
  const reader = await openReader(
    cluster,
    patientClock(() => NOW),
    context,
  );
  const { text, structured } = await findWorkloads.call(
    reader,
    findWorkloads.input.parse(given),
    new AbortController().signal,
  );
  const { workloads, notes } = findWorkloads.output.parse(structured) as unknown as {
    readonly workloads: readonly {
      readonly source: string;
      readonly state: string;
      readonly problem?: string;
    }[];
    readonly notes: readonly string[];
  };
  return { text, workloads, notes };
}

test('workloads whose pods have not been ready for long need attention, and come first', async () => {
  const { text, workloads } = await found({});
  expect(workloads.map(({ source, problem }) => [source, problem])).toEqual([
    ['shop:deployments/web', 'not-ready'],
    ['shop:deployments/api', undefined],
  ]);
  expect(text).toContain('shop:deployments/web 0/2 NotReady; needs attention: pods not ready');
  const failing = await found({ failing: true });
  expect(failing.workloads.map(({ source }) => source)).toEqual(['shop:deployments/web']);
});

test('without permission to list pods no pod is counted, and no workload is called not ready', async () => {
  const { workloads, notes } = await found({}, 'no-pods');
  expect(workloads.map(({ state, problem }) => [state, problem])).toEqual([
    ['pods unread', undefined],
    ['pods unread', undefined],
  ]);
  expect(notes.join()).toMatch(/could not list pods: /);
});
