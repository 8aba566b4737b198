import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openWhy, type WhyJson, type WhyWorld } from './why-world.ts';

const REFUSED = resolve(import.meta.dirname, '../../../scenarios/happenings/refused-beside-errors.yaml');
const APP = { name: 'app', logs: [{ format: 'plain', perSecond: 0.1, levels: { info: 1 } }] };

const scenarioOf = (workloads: readonly object[], rest: object = {}) => ({
  seed: 1,
  namespace: 'shop',
  namespaces: ['shop'],
  backfill: '30m',
  nodes: [{ name: 'node-1' }],
  workloads,
  ...rest,
});

async function sectionsOf(world: WhyWorld) {
  const { stdout } = await world.why('pods/*', '-n', 'shop', '-o', 'json');
  const { workloads, verdicts, healthy } = JSON.parse(stdout) as WhyJson;
  const found = workloads.map(({ subject: { kind, name }, verdicts: own }) => [
    `${kind} ${name}`,
    own.map((index) => verdicts[index]?.code),
  ]);
  return { found, healthy: healthy.names };
}

test('all pods of a namespace include a workload whose pods are refused', async () => {
  const world = await openWhy(REFUSED);
  const { found, healthy } = await sectionsOf(world);
  const { stdout } = await world.why('deployments/web', '-n', 'shop');
  await world.close();
  expect(found).toEqual([
    ['Deployment redis', ['quota-exceeded']],
    ['Deployment web', ['log-errors']],
  ]);
  expect(healthy).toEqual(['batch']);
  // That command leads there.
  expect(stdout).toMatch(/next: logtool why 'shop:pods\/\*'/);
});

test('a workload that was removed since its pods were refused is no problem', async () => {
  const world = await openWhy(REFUSED);
  const { store } = world.cluster;
  for (const kind of ['deployments.apps', 'replicasets.apps'])
    for (const { metadata } of store.list(kind, 'shop'))
      if (metadata.name.startsWith('redis')) store.remove(kind, 'shop', metadata.name);
  const { found } = await sectionsOf(world);
  await world.close();
  expect(found).toEqual([['Deployment web', ['log-errors']]]);
});

test('all pods of a namespace include a Job that was stopped at its deadline', async () => {
  const job = { kind: 'Job', name: 'report', at: '-10m', activeDeadlineSeconds: 240 };
  const world = await openWhy(
    scenarioOf([
      { kind: 'Deployment', name: 'web', replicas: 1, containers: [APP] },
      { ...job, containers: [{ name: 'app', lines: ['page 1'], exit: { after: '3h', code: 0 } }] },
    ]),
  );
  const { stdout } = await world.why('pods/*', '-n', 'shop');
  await world.close();
  expect(stdout).toContain('1 of 2 workloads has a problem');
  expect(stdout).toMatch(/^ {2}report \(Job, shop\): no pods;/m);
});

test('without any pod the workload whose pods are refused is named', async () => {
  const objects = [
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'compute', namespace: 'shop' },
      spec: { hard: { pods: '0' } },
    },
  ];
  const web = { kind: 'Deployment', name: 'web', replicas: 1, containers: [APP] };
  const world = await openWhy(scenarioOf([web], { objects }));
  const { code, stdout, stderr } = await world.why('pods/*', '-n', 'shop');
  await world.close();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^web \(Deployment, shop\): 0 of 1 pod is ready;.*\n {2}quota compute has no room/);
});

test('a namespace without pods and without such events has no pods', async () => {
  const world = await openWhy(scenarioOf([]));
  const { code, stdout, stderr } = await world.why('pods/*', '-n', 'shop');
  await world.close();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('there are no pods in namespace "shop"');
});
