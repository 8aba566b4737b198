import type { KubeObject } from '@logtool/kube/src/client.ts';
import { expect, test } from 'vitest';
import { openWhy } from './why-world.ts';

const LOGS = [{ format: 'json', perSecond: 1, levels: { info: 1 } }];

/** Version 2 runs out of memory; a rollback to version 1 begins 27 minutes later and stands still. */
const SCENARIO = {
  seed: 11,
  namespace: 'shop',
  backfill: '3h',
  nodes: [{ name: 'node-1' }, { name: 'node-2' }],
  workloads: [
    {
      kind: 'Deployment',
      name: 'web',
      replicas: 2,
      maxSurge: 1,
      maxUnavailable: 0,
      containers: [{ name: 'app', image: 'r/web:1', logs: LOGS }],
    },
  ],
  timeline: [
    {
      at: '-30m',
      action: 'rollout',
      workload: 'deployments/web',
      containers: [
        {
          name: 'app',
          image: 'r/web:2',
          limits: { memory: '64Mi' },
          lines: ['x'],
          exit: { after: '1m', reason: 'OOMKilled' },
        },
      ],
    },
    {
      at: '-3m',
      action: 'rollout',
      workload: 'deployments/web',
      containers: [{ name: 'app', image: 'r/web:1', state: 'creating' }],
    },
  ],
};

test('reports a rollback at its own time, and the rollout that it undoes keeps its images', async () => {
  const world = await openWhy(SCENARIO);
  const { stdout } = await world.why('deployments/web', '-n', 'shop');
  await world.close();
  expect(stdout).toContain('first known sign 2026-11-22T11:57:00~, with rollout app r/web:2 -> r/web:1\n');
  expect(stdout).toContain('11:30:00~: [Rollout] deployment/web revision 2: app r/web:1 -> r/web:2\n');
});

test('a rollback whose Events are gone is never given the time of the rollout that it undoes', async () => {
  const world = await openWhy(SCENARIO);
  const { store } = world.cluster;
  const events: readonly (KubeObject & { readonly reason?: unknown })[] = store.list('events', 'shop');
  for (const { reason, metadata } of events)
    if (reason === 'ScalingReplicaSet') store.remove('events', 'shop', metadata.name);
  const { stdout } = await world.why('deployments/web', '-n', 'shop');
  await world.close();
  expect(stdout).not.toContain('after rollout app r/web:2 -> r/web:1');
  expect(stdout).toContain('revision 3: app r/web:2 -> r/web:1, 2 replicas (then or later)\n');
});

test('a rollback of a rollout that hangs is dated by the event that scales its pods to 0', async () => {
  const [web] = SCENARIO.workloads;
  const world = await openWhy({
    ...SCENARIO,
    registries: [{ image: '*:2', answers: 'denied' }],
    workloads: [web],
    timeline: [
      { at: '-9m', action: 'rollout', workload: 'deployments/web', image: 'r/web:2' },
      { at: '-5m', action: 'rollout', workload: 'deployments/web', image: 'r/web:1' },
    ],
  });
  const { stdout } = await world.run('events', 'deployments/web', '-n', 'shop', '--since', '10m');
  await world.close();
  expect(stdout).toMatch(/^2026-11-22T11:55:00~ .* Rollout .*revision 3: app r\/web:2 -> r\/web:1/m);
  expect(stdout).not.toContain('then or later');
});
