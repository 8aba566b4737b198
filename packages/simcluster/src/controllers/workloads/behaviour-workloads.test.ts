import { describe, expect, it } from 'vitest';
import { names, play as playScenario, podNamed as pod } from '../../../test/support/play.ts';
import { timeText } from '../objects.ts';

const NODES = [
  { name: 'a', zone: 'z1' },
  { name: 'b', zone: 'z2' },
];
const APP = { name: 'app', lines: ['up'] };

function play(workload: object | readonly object[], more: object = {}) {
  const workloads = Array.isArray(workload) ? workload : [workload];
  return playScenario({ nodes: NODES, workloads, ...more });
}

describe('controllers of workloads', () => {
  it('make the pods of a StatefulSet one after the other, and take them in the opposite order', async () => {
    const { sim, clock } = await play({ kind: 'StatefulSet', name: 'db', replicas: 3, containers: [APP] });
    await clock.advance(1000);
    expect(names(sim)).toEqual(['db-0']);
    await clock.advance(10_000);
    expect(names(sim)).toEqual(['db-0', 'db-1', 'db-2']);
    expect(pod(sim, 'db-1').metadata.labels).toMatchObject({ 'apps.kubernetes.io/pod-index': '1' });
    sim.act({ action: 'scale', workload: 'statefulsets/db', replicas: 1 });
    await clock.advance(100);
    expect(names(sim).filter((name) => pod(sim, name).metadata.deletionTimestamp !== undefined)).toEqual([
      'db-2',
    ]);
    await clock.advance(60_000);
    expect(names(sim)).toEqual(['db-0']);
  });

  it('put one pod of a DaemonSet on each node', async () => {
    const { sim, clock } = await play({ kind: 'DaemonSet', name: 'agent', containers: [APP] });
    await clock.advance(5000);
    expect(
      sim.store
        .list('pods')
        .map((p) => p.spec?.nodeName)
        .sort(),
    ).toEqual(['a', 'b']);
    expect(sim.store.get('daemonsets.apps', 'default', 'agent')?.status).toMatchObject({
      numberReady: 2,
      desiredNumberScheduled: 2,
    });
  });

  it('complete a Job, or give it up after its backoffLimit', async () => {
    const { sim, clock } = await play([
      { kind: 'Job', name: 'good', completions: 2, containers: [{ ...APP, exit: { after: '1s', code: 0 } }] },
      { kind: 'Job', name: 'bad', backoffLimit: 1, containers: [{ ...APP, exit: { after: '1s', code: 1 } }] },
    ]);
    await clock.advance(120_000);
    const condition = (name: string) =>
      JSON.stringify(sim.store.get('jobs.batch', 'default', name)?.status?.conditions);
    expect(condition('good')).toContain('"type":"Complete"');
    expect(condition('bad')).toContain('BackoffLimitExceeded');
    expect(names(sim).filter((name) => name.startsWith('good')).length).toBe(2);
    expect(names(sim).filter((name) => name.startsWith('bad')).length).toBe(2);
  });

  it('run a CronJob by its schedule, and keep three Jobs', async () => {
    const { sim, clock } = await play({
      kind: 'CronJob',
      name: 'report',
      schedule: '*/2 * * * *',
      containers: [{ ...APP, exit: { code: 0 } }],
    });
    await clock.advance(11 * 60_000);
    const jobs = names(sim, 'jobs.batch');
    expect(jobs.length).toBe(3);
    expect(jobs.at(-1)).toBe(`report-${Math.floor((clock.now() - 60_000) / 60_000)}`);
    expect(sim.store.get('cronjobs.batch', 'default', 'report')?.status).toMatchObject({
      lastScheduleTime: timeText(clock.now() - 60_000),
    });
    expect(names(sim).length).toBe(3);
  });

  it('own pods through a ReplicaSet for a kind of the scenario, which gets a definition', async () => {
    const { sim, clock } = await play({
      kind: 'Rollout',
      apiVersion: 'argoproj.io/v1alpha1',
      plural: 'rollouts',
      name: 'canary',
      replicas: 2,
      containers: [APP],
    });
    await clock.advance(5000);
    const [set] = sim.store.list('replicasets.apps');
    expect(set?.metadata.ownerReferences).toMatchObject([
      { kind: 'Rollout', name: 'canary', controller: true },
    ]);
    expect(sim.store.list('pods').length).toBe(2);
    expect(names(sim, 'customresourcedefinitions.apiextensions.k8s.io')).toEqual(['rollouts.argoproj.io']);
    sim.store.remove('rollouts.argoproj.io', 'default', 'canary');
    await clock.advance(60_000);
    expect(sim.store.list('pods')).toEqual([]);
  });

  it('scale a paused Deployment without a new ReplicaSet for its changed template', async () => {
    const { sim, clock } = await play({ kind: 'Deployment', name: 'web', replicas: 2, containers: [APP] });
    await clock.advance(5000);
    sim.act({ action: 'pause', workload: 'deployments/web', on: true });
    sim.act({ action: 'rollout', workload: 'deployments/web', image: 'web:v2' });
    sim.act({ action: 'scale', workload: 'deployments/web', replicas: 4 });
    await clock.advance(10_000);
    expect([names(sim).length, names(sim, 'replicasets.apps').length]).toEqual([4, 1]);
    sim.act({ action: 'scale', workload: 'deployments/web', replicas: 0 });
    await clock.advance(60_000);
    expect(names(sim)).toEqual([]);
  });

  it('keep the shares of two ReplicaSets while a rollout is paused', async () => {
    const { sim, clock } = await play({ kind: 'Deployment', name: 'web', replicas: 4, containers: [APP] });
    await clock.advance(5000);
    sim.act({ action: 'rollout', workload: 'deployments/web', image: 'web:v2' });
    sim.act({ action: 'pause', workload: 'deployments/web', on: true });
    const sizes = () =>
      sim.store
        .list('replicasets.apps')
        .map(({ spec }) => Number(spec?.replicas))
        .sort((a, b) => b - a);
    expect(sizes()).toEqual([3, 2]);
    sim.act({ action: 'scale', workload: 'deployments/web', replicas: 8 });
    await clock.advance(100);
    expect(sizes()).toEqual([6, 4]);
  });

  it('list ready pods in the endpoints of a Service', async () => {
    const { sim, clock } = await play({
      kind: 'Deployment',
      name: 'web',
      replicas: 2,
      service: { port: 80 },
      containers: [{ ...APP, port: 8080 }],
    });
    await clock.advance(5000);
    const ready = () => {
      const [slice] = sim.store.list('endpointslices.discovery.k8s.io');
      return (slice?.endpoints as { conditions: { ready: boolean } }[] | undefined)?.filter(
        (e) => e.conditions.ready,
      ).length;
    };
    expect(ready()).toBe(2);
    sim.act({ action: 'crash', workload: 'deployments/web', index: 0, code: 1 });
    expect(ready()).toBe(1);
    expect(sim.store.get('endpoints', 'default', 'web')?.subsets).toMatchObject([
      { addresses: [{}], notReadyAddresses: [{}], ports: [{ port: 8080 }] },
    ]);
  });

  it('empty a namespace that is deleted', async () => {
    const { sim, clock } = await play(
      { kind: 'Deployment', name: 'web', replicas: 2, containers: [APP] },
      { namespaces: ['shop'] },
    );
    await clock.advance(5000);
    sim.store.update('namespaces', undefined, 'shop', (namespace) => {
      namespace.metadata.deletionTimestamp = timeText(clock.now());
      return undefined;
    });
    await clock.advance(60_000);
    expect(sim.store.get('namespaces', undefined, 'shop')).toBeUndefined();
    expect(sim.store.list('pods', 'shop')).toEqual([]);
    expect(sim.store.list('deployments.apps', 'shop')).toEqual([]);
  });
});
