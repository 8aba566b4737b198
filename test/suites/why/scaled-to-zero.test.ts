import { expect, test } from 'vitest';
import { whyOf } from './why-world.ts';

const scenarioOf = (replicas: number) => ({
  seed: 1,
  namespace: 'shop',
  namespaces: ['shop'],
  backfill: '30m',
  nodes: [{ name: 'node-1' }],
  workloads: [
    {
      kind: 'Deployment',
      name: 'web',
      replicas: 2,
      containers: [{ name: 'app', logs: [{ format: 'json', perSecond: 0.02, levels: { info: 1 } }] }],
    },
  ],
  timeline: [{ at: '-5m', action: 'scale', workload: 'deployments/web', replicas }],
});

test('a Deployment without pods is scaled to 0, and its event reports when', async () => {
  const { code, stdout } = await whyOf(scenarioOf(0), 'deployments/web', '-n', 'shop');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^web \(Deployment, shop\): healthy according to the cluster .*, scaled to 0, no pods;/,
  );
  expect(stdout).toMatch(/also: \S+T11:55:0\S+ \[ScalingReplicaSet\].* from 2 to 0$/m);
});

test('a Deployment that is scaled to fewer pods is not scaled to 0', async () => {
  const { stdout } = await whyOf(scenarioOf(1), 'deployments/web', '-n', 'shop');
  expect(stdout).toContain('1 of 1 pod is ready');
  expect(stdout).not.toMatch(/scaled to 0|ScalingReplicaSet/);
});
