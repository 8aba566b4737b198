import {
  CRON_JOBS,
  DAEMON_SETS,
  DEPLOYMENTS,
  JOBS,
  NODES,
  PODS,
  REPLICA_SETS,
  STATEFUL_SETS,
} from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClusterUnderTest, openCluster } from '../../support/conformance/cluster.ts';
import { container, cronJob, daemonSet, deployment, job, pod, podSpec, statefulSet } from './pods.ts';
import { count, counter, finished, inOrder, numbersByPod, server } from './scripts.ts';

let cluster: ClusterUnderTest;

beforeAll(async () => {
  cluster = await openCluster();
}, 300_000);

afterAll(() => cluster?.close());

const BY_POD = ['--all', '--columns=pod', '--hide-header'];
const logs = (...args: readonly string[]) => cluster.logtool(['logs', '-n', cluster.namespace, ...args]);
/** Keeps running after a last line that marks the end of its output. */
const serving = () => podSpec(cluster.pods, [container('app', server(20), cluster.pods)]);
const ending = () =>
  podSpec(cluster.pods, [container('app', counter(20), cluster.pods)], { restartPolicy: 'Never' });

/**
 * Reads until this many pods have printed everything: ready means that a container runs, not that it has
 * printed.
 */
async function wholePods(pods: number, ...args: readonly string[]): Promise<Map<string, number[]>> {
  for (;;) {
    const { lines, stderr, exitCode } = await logs(...args, ...BY_POD);
    expect(exitCode, stderr).toBe(0);
    const found = numbersByPod(lines);
    if ([...found.values()].filter((numbers) => numbers.length === 20).length < pods) continue;
    expect(found.size).toBe(pods);
    for (const numbers of found.values()) expect(numbers).toEqual(inOrder(numbers));
    return found;
  }
}

test('stateful sets, by name, by pod, by a star and by container', async () => {
  await cluster.create(statefulSet('store', 2, serving()));
  await cluster.until(STATEFUL_SETS, 'store', ({ status }) => status?.readyReplicas === 2);
  const both = ['store-0', 'store-1'];
  for (const source of [
    'statefulsets/store',
    'sts/store',
    'statefulsets/sto*',
    'statefulsets/store/*',
    'pods/store-*',
  ]) {
    expect([...(await wholePods(2, source)).keys()].sort(), source).toEqual(both);
  }
  expect([...(await wholePods(1, 'store-1')).keys()]).toEqual(['store-1']);
  expect([...(await wholePods(2, 'sts/store/app')).keys()].sort()).toEqual(both);
  expect([...(await wholePods(2, '--selector=app in (store),app!=other')).keys()].sort()).toEqual(both);
  expect([...(await wholePods(2, 'sts/store', 'store-0', 'pods/store-*')).keys()].sort()).toEqual(both);
}, 300_000);

test('a deployment, and the replica set that it made', async () => {
  await cluster.create(deployment('front', 2, serving()));
  await cluster.until(DEPLOYMENTS, 'front', ({ status }) => status?.readyReplicas === 2);
  const owned = await wholePods(2, 'deploy/front');
  const [set] = await list('app=front');
  expect((await wholePods(2, `replicasets/${set?.metadata.name}`)).keys()).toEqual(owned.keys());
}, 300_000);

async function list(labelSelector: string): Promise<KubeObject[]> {
  const found: KubeObject[] = [];
  const query = { namespace: cluster.namespace, labelSelector };
  for await (const page of cluster.client.list(REPLICA_SETS, query)) found.push(...page.items);
  return found;
}

test('a daemon set', async () => {
  const { spec } = await finished(cluster, 'scout', { exit: {} });
  const options = { ...cluster.pods, nodeSelector: await selectorOf(spec?.nodeName ?? '') };
  const own = podSpec(options, [container('app', server(20), options)]);
  await cluster.create(daemonSet('agent', own));
  await cluster.until(DAEMON_SETS, 'agent', ({ status }) => status?.numberReady === 1);
  await wholePods(1, 'daemonsets/agent');
  await wholePods(1, 'ds/agent', `--node=${spec?.nodeName}`);
  const none = await logs('ds/agent', '--node=no-such-node', '--all', '--raw');
  expect([none.exitCode, none.stdout.toString()]).toEqual([1, '']);
}, 300_000);

/** Selects a single node, so that a large cluster does not get a pod on each. */
async function selectorOf(nodeName: string): Promise<Readonly<Record<string, string>>> {
  const key = 'kubernetes.io/hostname';
  const may = await cluster.client.review({ verb: 'get', group: '', resource: 'nodes', name: nodeName });
  const node = may ? await cluster.client.get(NODES, { name: nodeName }) : undefined;
  return { [key]: node?.metadata.labels?.[key] ?? nodeName };
}

test('jobs whose pods run side by side, and one that failed', async () => {
  await cluster.create(job('batch', ending(), { parallelism: 3, completions: 3 }));
  await cluster.until(JOBS, 'batch', ({ status }) => status?.succeeded === 3);
  await wholePods(3, 'jobs/batch');
  const failing = podSpec(
    cluster.pods,
    [container('app', { ...counter(20), exit: { code: 7 } }, cluster.pods)],
    {
      restartPolicy: 'Never',
    },
  );
  await cluster.create(job('failed', failing));
  await wholePodsAfterFollow(1, 'jobs/failed');
}, 300_000);

async function wholePodsAfterFollow(pods: number, source: string): Promise<void> {
  const view = cluster.follow(['logs', '-n', cluster.namespace, source, '-f', ...BY_POD]);
  expect(await view.ended, view.stderr).toBe(0);
  await wholePods(pods, source);
}

test('a cron job has the pods of its jobs', async () => {
  await cluster.create(cronJob('nightly', ending()));
  const owner = await cluster.client.get(CRON_JOBS, { namespace: cluster.namespace, name: 'nightly' });
  for (const name of ['nightly-1', 'nightly-2']) {
    const made = job(name, ending()) as { readonly metadata: object };
    const { uid } = owner.metadata;
    const ownerReferences = [
      { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid, controller: true },
    ];
    await cluster.create({ ...made, metadata: { ...made.metadata, ownerReferences } });
    await cluster.until(JOBS, name, ({ status }) => status?.succeeded === 1);
  }
  await wholePods(2, 'cronjobs/nightly');
  await wholePods(2, 'cj/night*');
}, 300_000);

test('init containers, a sidecar and two containers, separately and all together', async ({ skip }) => {
  const [, minor = '0'] = /^v1\.(\d+)/.exec(await cluster.client.version()) ?? [];
  skip(Number(minor) < 29, 'sidecars came with Kubernetes 1.29');
  const say = (name: string, rest = {}) => container(name, { lines: [`${name} speaks`] }, cluster.pods, rest);
  const spec = podSpec(cluster.pods, [say('app'), say('second')], {
    initContainers: [
      container('prepare', { lines: ['prepare speaks'], exit: {} }, cluster.pods),
      say('proxy', { restartPolicy: 'Always' }),
    ],
  });
  await cluster.create(pod('crew', spec));
  await cluster.until(PODS, 'crew', ({ status }) => {
    const states = status?.containerStatuses ?? [];
    return states.length === 2 && states.every(({ state }) => state.running !== undefined);
  });
  const all = cluster.follow([
    'logs',
    '-n',
    cluster.namespace,
    'crew',
    '--all-containers',
    '-f',
    '--all',
    '--raw',
  ]);
  await all.until((lines) => lines.length === 4);
  await all.stop();
  expect(all.lines[0]).toBe('prepare speaks');
  expect(all.lines.toSorted()).toEqual(['app speaks', 'prepare speaks', 'proxy speaks', 'second speaks']);
  for (const name of ['prepare', 'proxy', 'app', 'second']) {
    expect((await logs(`pods/crew/${name}`, '--all', '--raw')).lines).toEqual([`${name} speaks`]);
  }
  const starred = await logs('pods/crew/*', '--all', '--columns=container', '--hide-header');
  expect(starred.lines.map((line) => line.split(/ +/)[0]).sort()).toEqual([
    'app',
    'prepare',
    'proxy',
    'second',
  ]);
}, 300_000);

test('each record has all columns, in JSON too', async () => {
  const { spec } = await finished(cluster, 'placed', counter(3));
  const names = 'timestamp,dot,node,region,zone,os,arch,namespace,pod,container';
  const table = await logs('placed', '--all', `--columns=${names}`);
  expect(table.exitCode, table.stderr).toBe(0);
  const titles = names
    .split(',')
    .filter((name) => name !== 'dot')
    .map((name) => name.toUpperCase());
  expect(table.lines[0]?.split(/ +/)).toEqual([...titles, 'MESSAGE']);
  expect(table.lines).toHaveLength(4);
  for (const row of table.lines.slice(1)) {
    for (const field of [spec?.nodeName ?? '', cluster.namespace, 'placed', 'app'])
      expect(row).toContain(field);
  }
  const json = (await logs('placed', '--all', '--output=json')).lines.map((line) => JSON.parse(line));
  expect(json.map(({ message }) => message)).toEqual(count(3));
  for (const record of json) {
    const where = { namespace: cluster.namespace, pod: 'placed', container: 'app', node: spec?.nodeName };
    expect(record).toMatchObject(where);
  }
}, 300_000);
