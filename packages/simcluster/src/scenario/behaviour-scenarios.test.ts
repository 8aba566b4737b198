import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { podStatus } from '../controllers/objects.ts';
import { type SimCluster, startSimCluster } from '../start.ts';
import type { StoredObject } from '../store/store.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const open: SimCluster[] = [];

afterEach(async () => {
  for (const cluster of open.splice(0)) await cluster.close();
});

async function start(name: string): Promise<SimCluster> {
  const cluster = await startSimCluster({
    scenario: join(ROOT, 'scenarios', `${name}.yaml`),
    clock: new FakeClock(),
  });
  open.push(cluster);
  return cluster;
}

/** Reads the newest log file of a container's run, from below the cluster's folder. */
async function logFile(cluster: SimCluster, pod: string, container: string, run = 0): Promise<Buffer> {
  for (const node of await readdir(cluster.logDirectory)) {
    for (const folder of await readdir(join(cluster.logDirectory, node))) {
      if (!folder.includes(`_${pod}_`)) continue;
      return readFile(join(cluster.logDirectory, node, folder, container, `${run}.log`));
    }
  }
  throw new Error(`no log of ${pod}`);
}

function recorded(file: string): Promise<Buffer> {
  return readFile(join(ROOT, 'test/recorded/cri-files', file));
}

function statusOf(cluster: SimCluster, name: string) {
  const pod = cluster.store.get('pods', 'lab', name);
  return podStatus(pod as StoredObject);
}

describe('scenarios/shop.yaml', () => {
  it('holds the shop and its incident', async () => {
    const cluster = await start('shop');
    const pods = cluster.store.list('pods');
    expect(pods.length).toBeGreaterThan(40);
    const zones = new Set(
      cluster.store.list('nodes').map((node) => node.metadata.labels?.['topology.kubernetes.io/zone']),
    );
    expect(zones.size).toBe(3);

    const payment = pods.filter((pod) => pod.metadata.name.startsWith('payment-'));
    expect(payment.length).toBe(4);
    for (const pod of payment) {
      const app = podStatus(pod).containerStatuses?.[0];
      expect(app?.image).toContain('payment:2.8.0');
      expect(app?.restartCount).toBeGreaterThan(3);
      expect(app?.lastState.terminated?.exitCode).not.toBe(0);
    }
    const lastReasons = pods.map(
      (pod) => podStatus(pod).containerStatuses?.[0]?.lastState.terminated?.reason,
    );
    expect(lastReasons).toContain('OOMKilled');
    const revisions = cluster.store
      .list('replicasets.apps', 'shop')
      .filter((set) => set.metadata.name.startsWith('payment-'));
    expect(revisions.length).toBe(2);

    const database = (await logFile(cluster, 'orders-db-0', 'postgres')).toString().split('\n');
    const failing = database.filter((line) => line.includes('too many clients already'));
    expect(database[0]?.slice(0, 13)).toBe('2026-11-21T06');
    expect(failing.length).toBeGreaterThan(50);
    expect(failing[0]?.slice(0, 15)).toBe('2026-11-21T09:2');
  });
});

describe('scenarios/odd.yaml', () => {
  it.each([
    ['odd', 'odd', 'odd/0.log'],
    ['odd-exit', 'odd', 'odd-exit/0.log'],
    ['interleave', 'main', 'interleave/0.log'],
    ['quiet', 'main', 'quiet/0.log'],
    ['time-zone', 'main', 'time-zone/0.log'],
  ])('%s has the very bytes of the recording', async (pod, container, file) => {
    const cluster = await start('odd');
    expect((await logFile(cluster, pod, container)).equals(await recorded(file))).toBe(true);
  });

  it('has both runs of a container that restarted', async () => {
    const cluster = await start('odd');
    expect(await logFile(cluster, 'restarted', 'main', 0)).toEqual(await recorded('restarted/0.log'));
    expect(await logFile(cluster, 'restarted', 'main', 1)).toEqual(await recorded('restarted/1.log'));
    expect(statusOf(cluster, 'restarted').containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 7 } },
    });
  });

  it('has a file that was rotated, one that stays empty, and pods that never ran', async () => {
    const cluster = await start('odd');
    expect(
      (await logFile(cluster, 'rotated', 'main')).toString().match(/seq \d behind the rotation/g)?.length,
    ).toBe(3);
    expect((await logFile(cluster, 'silent', 'main')).length).toBe(0);
    const waiting = (name: string) => statusOf(cluster, name).containerStatuses?.[0]?.state.waiting?.reason;
    expect(['creating', 'init-stuck', 'crasher'].map(waiting)).toEqual([
      'ContainerCreating',
      'PodInitializing',
      'CrashLoopBackOff',
    ]);
    expect(waiting('bad-image')).toMatch(/ImagePullBackOff|ErrImagePull/);
    expect(statusOf(cluster, 'unschedulable').containerStatuses).toBeUndefined();
    expect(statusOf(cluster, 'quiet').ephemeralContainerStatuses).toMatchObject([{ name: 'debug' }]);
  });
});

describe('scenarios/many.yaml', () => {
  it('has a hundred running containers with lines', async () => {
    const cluster = await start('many');
    const pods = cluster.store.list('pods');
    expect(pods.filter((pod) => podStatus(pod).phase === 'Running').length).toBe(100);
    const text = (await logFile(cluster, pods[57]?.metadata.name ?? '', 'app')).toString();
    expect(text.split('\n').length).toBeGreaterThan(500);
  });
});

describe('scenarios/permissions.yaml', () => {
  it('has a context for each user', async () => {
    const cluster = await start('permissions');
    const kubeconfig = await readFile(cluster.kubeconfig, 'utf8');
    for (const user of [
      'full',
      'ns-reader',
      'no-watch',
      'named-only',
      'no-nodes',
      'nobody',
      'bad-token',
      'expired-cert',
    ]) {
      expect(kubeconfig).toContain(user);
    }
    expect(cluster.store.get('roles.rbac.authorization.k8s.io', 'shop', 'named-only')).toMatchObject({
      rules: [{ verbs: ['get'], resourceNames: ['db-0'] }],
    });
  });
});

describe('scenarios/large.yaml', () => {
  it('has ten thousand running pods on three hundred nodes', async () => {
    const cluster = await start('large');
    const pods = cluster.store.list('pods');
    expect(pods.filter((pod) => podStatus(pod).phase === 'Running').length).toBe(10_000);
    expect(new Set(pods.map((pod) => pod.spec?.nodeName)).size).toBe(300);
    const [name = ''] = pods
      .filter((pod) => pod.metadata.namespace === 'team-7')
      .map((pod) => pod.metadata.name);
    expect((await logFile(cluster, name, 'app')).toString().split('\n').length).toBe(4);
  });
});
