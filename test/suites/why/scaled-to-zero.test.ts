import { expect, test } from 'vitest';
import { openWhy, whyOf } from './why-world.ts';

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

/** Errors of web begin in the second in which redis is scaled to 0; api is rolled out then. */
const DEPENDENT = {
  ...scenarioOf(0),
  workloads: [
    {
      kind: 'Deployment',
      name: 'web',
      replicas: 2,
      containers: [
        {
          name: 'app',
          logs: [
            { format: 'json', perSecond: 0.5, levels: { info: 1 } },
            {
              format: 'json',
              perSecond: 0.5,
              from: '-10m',
              messages: [{ level: 'error', text: 'redis: connection refused' }],
            },
          ],
        },
      ],
    },
    { kind: 'Deployment', name: 'redis', replicas: 1, containers: [{ name: 'app', lines: ['ready'] }] },
    {
      kind: 'Deployment',
      name: 'api',
      replicas: 1,
      containers: [{ name: 'app', image: 'r/api:1', lines: ['ready'] }],
    },
  ],
  timeline: [
    { at: '-10m', action: 'scale', workload: 'deployments/redis', replicas: 0 },
    { at: '-10m', action: 'rollout', workload: 'deployments/api', image: 'r/api:2' },
  ],
};

test('all pods of a namespace include the scaling to 0 of a Deployment that others may need', async () => {
  const world = await openWhy(DEPENDENT);
  const all = await world.why('pods/*', '-n', 'shop');
  const next = / {2}next: logtool (.*)\n$/.exec(all.stdout)?.[1] ?? '';
  const logs = await world.run(...next.replaceAll("'", '').split(' '));
  const some = await world.run('events', 'deployments/web', '-n', 'shop');
  await world.close();
  expect(all.stdout).toMatch(/first known sign 2026-11-22T11:50:00~/);
  expect(all.stdout).toMatch(
    /also: 2026-11-22T11:50:00~: \[ScalingReplicaSet\] deployment\/redis .* from 1 to 0$/m,
  );
  // A rollout scales the ReplicaSet before to 0, too.
  expect(all.stdout.match(/ScalingReplicaSet/g)).toHaveLength(1);
  expect(logs.stdout).toMatch(/ScalingReplicaSet.* deployment\/redis /);
  expect(some.stdout).not.toContain('redis');
});

/** A StatefulSet of two pods, beside a Deployment, in which errors begin. */
const setOf = (replicas: number) => ({
  ...DEPENDENT,
  workloads: [
    DEPENDENT.workloads[0],
    DEPENDENT.workloads[2],
    { kind: 'StatefulSet', name: 'db', replicas: 2, containers: [{ name: 'app', lines: ['ready'] }] },
  ],
  timeline: [{ at: '-10m', action: 'scale', workload: 'statefulsets/db', replicas }],
});

test('a StatefulSet that is scaled to 0 is so, and its last deletion reports when', async () => {
  const world = await openWhy(setOf(0));
  const own = await world.why('statefulsets/db', '-n', 'shop');
  const all = await world.why('pods/*', '-n', 'shop');
  await world.close();
  expect(own.stdout).toContain(', scaled to 0, no pods;');
  const deleted = /also: 2026-11-22T11:50:0\S+ \[SuccessfulDelete\] statefulset\/db delete Pod db-0 /;
  expect(own.stdout).toMatch(deleted);
  expect(all.stdout).toMatch(deleted);
  expect(all.stdout.match(/SuccessfulDelete/g)).toHaveLength(1);
});

test('a StatefulSet that is scaled to fewer pods is not scaled to 0', async () => {
  const world = await openWhy(setOf(1));
  const { stdout } = await world.why('pods/*', '-n', 'shop');
  await world.close();
  expect(stdout).not.toContain('SuccessfulDelete');
});
