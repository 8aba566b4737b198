import { KubeError } from '@logtool/kube/src/errors.ts';
import { InProcessCluster } from '@logtool/simcluster/test/support/in-process-cluster.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Following, planOf } from '../../../../test/support/resolve/follow.ts';
import { namespace, node, type Owner, pod, workload } from '../../../../test/support/resolve/objects.ts';
import { noticeText } from '../cli/messages/notice-text.ts';
import type { SourcePlan } from './resolve.ts';

let cluster: InProcessCluster;
let following: Following | undefined;

beforeEach(() => {
  cluster = new InProcessCluster();
});

afterEach(async () => {
  await following?.end();
  expect(cluster.watched).toEqual([]);
});

function follow(sources: readonly string[], more?: Partial<SourcePlan>): Following {
  following = new Following(cluster.client(), planOf(sources, more));
  return following;
}

function replicaSet(name: string, root: Owner) {
  const set = workload('apps/v1', 'ReplicaSet', name, { labels: { app: 'web' }, owner: root });
  cluster.put('replicasets', set);
  return set;
}

function web(options: Record<string, unknown> = {}) {
  const root = workload('apps/v1', 'Deployment', 'web', options);
  cluster.put('deployments', root);
  return root;
}

test('pods of a later rollout join, and deleted ones leave', async () => {
  const root = web();
  const first = replicaSet('web-1', root);
  cluster.put('pods', pod('web-1-a', { labels: { app: 'web' }, owner: first }));
  const events = follow(['deployments/web']);
  expect(await events.lines(2)).toEqual(['added shop/web-1-a/app', 'synced open']);
  const second = replicaSet('web-2', root);
  cluster.put('pods', pod('web-2-a', { labels: { app: 'web' }, owner: second }));
  expect(await events.line()).toBe('added shop/web-2-a/app');
  cluster.remove('pods', 'shop', 'web-1-a');
  expect(await events.line()).toBe('gone shop/web-1-a/app');
});

test('reports a change of state, but no change that does not matter', async () => {
  const first = pod('web-0', { uid: 'u' });
  cluster.put('pods', first);
  const events = follow(['pods/*']);
  await events.lines(2);
  cluster.put('pods', { ...first, metadata: { ...first.metadata, annotations: { seen: 'yes' } } });
  const waiting = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } };
  const terminated = { terminated: { exitCode: 1, containerID: 'containerd://old' } };
  const status = {
    containerStatuses: [{ name: 'app', restartCount: 3, state: waiting, lastState: terminated }],
  };
  cluster.put('pods', pod('web-0', { uid: 'u', status }));
  expect(await events.next()).toMatchObject({
    type: 'changed',
    target: {
      state: { kind: 'waiting', reason: 'CrashLoopBackOff' },
      restartCount: 3,
      lastContainerId: 'containerd://old',
      mayRestart: true,
    },
  });
});

test('a recreated pod of the same name is another target', async () => {
  const root = workload('apps/v1', 'StatefulSet', 'db');
  cluster.put('statefulsets', root);
  cluster.put('pods', pod('db-0', { uid: 'first', labels: { app: 'db' }, owner: root }));
  const events = follow(['sts/db']);
  await events.lines(2);
  cluster.remove('pods', 'shop', 'db-0');
  cluster.put('pods', pod('db-0', { uid: 'second', labels: { app: 'db' }, owner: root }));
  expect(await events.next()).toMatchObject({ type: 'gone', target: { id: 'first/app' } });
  expect(await events.next()).toMatchObject({ type: 'added', target: { id: 'second/app' } });
});

test('a pod that was named is closed when it completed', async () => {
  cluster.put('pods', pod('task', { uid: 'u' }));
  const events = follow(['task']);
  expect(await events.lines(2)).toEqual(['added shop/task/app', 'synced open']);
  cluster.put('pods', pod('task', { uid: 'u', phase: 'Succeeded' }));
  expect(await events.lines(2)).toEqual(['changed shop/task/app', 'closing closed']);
});

test('a pod that was named is closed when it is deleted, and its successor is another pod', async () => {
  cluster.put('pods', pod('db-0', { uid: 'first' }));
  const events = follow(['db-0']);
  await events.lines(2);
  cluster.remove('pods', 'shop', 'db-0');
  expect(await events.lines(2)).toEqual(['gone shop/db-0/app', 'closing closed']);
  cluster.put('pods', pod('db-0', { uid: 'second' }));
  expect(await events.end()).toEqual([]);
});

test('a union stays open while one source is', async () => {
  web();
  cluster.put('pods', pod('task', { phase: 'Failed' }));
  const events = follow(['task', 'deployments/web']);
  expect(await events.lines(3)).toEqual(['notice no-pods', 'added shop/task/app', 'synced open']);
});

test('a Job is closed once it is complete', async () => {
  const root = workload('batch/v1', 'Job', 'task');
  cluster.put('jobs', root);
  cluster.put('pods', pod('task-x', { labels: { app: 'task' }, owner: root }));
  const events = follow(['jobs/task']);
  expect(await events.lines(2)).toEqual(['added shop/task-x/app', 'synced open']);
  cluster.put('jobs', { ...root, status: { conditions: [{ type: 'Complete', status: 'True' }] } });
  expect(await events.line()).toBe('closing closed');
});

test('a Job that is deleted is closed', async () => {
  cluster.put('jobs', workload('batch/v1', 'Job', 'task'));
  const events = follow(['jobs/task']);
  expect(await events.lines(2)).toEqual(['notice no-pods', 'synced open']);
  cluster.remove('jobs', 'shop', 'task');
  expect(await events.line()).toBe('closing closed');
});

test('new Jobs of a CronJob join', async () => {
  const root = workload('batch/v1', 'CronJob', 'report');
  cluster.put('cronjobs', root);
  const events = follow(['cronjobs/report']);
  expect(await events.lines(2)).toEqual(['notice no-pods', 'synced open']);
  const job = workload('batch/v1', 'Job', 'report-1', { owner: root });
  cluster.put('jobs', job);
  cluster.put('pods', pod('report-1-x', { labels: { 'job-name': 'report-1' }, owner: job }));
  expect(await events.line()).toBe('added shop/report-1-x/app');
});

test('scaled to 0 waits for pods', async () => {
  const root = web({ spec: { replicas: 0 } });
  const events = follow(['deployments/web']);
  expect(await events.lines(2)).toEqual(['notice no-pods', 'synced open']);
  cluster.put('pods', pod('web-1-a', { labels: { app: 'web' }, owner: replicaSet('web-1', root) }));
  expect(await events.line()).toBe('added shop/web-1-a/app');
});

test('a Deployment that is deleted and created again continues', async () => {
  const events = follow(['deployments/web']);
  web();
  expect(await events.lines(2)).toEqual(['notice no-pods', 'synced open']);
  cluster.remove('deployments', 'shop', 'web');
  const again = web({ spec: { selector: { matchLabels: { app: 'web', gen: '2' } } } });
  const labels = { app: 'web', gen: '2' };
  cluster.put('pods', pod('web-2-a', { labels, owner: replicaSet('web-2', again) }));
  expect(await events.line()).toBe('added shop/web-2-a/app');
  expect(cluster.watched).toContain('watch pods shop app=web,gen=2');
});

test('a Service that turns to other pods is followed there', async () => {
  const service = (version: string) => ({
    ...workload('v1', 'Service', 'web', { uid: 'service' }),
    spec: { selector: { version } },
  });
  cluster.put('services', service('blue'));
  cluster.put('pods', pod('blue-0', { labels: { version: 'blue' } }));
  cluster.put('pods', pod('green-0', { labels: { version: 'green' } }));
  const events = follow(['svc/web']);
  expect(await events.lines(2)).toEqual(['added shop/blue-0/app', 'synced open']);
  cluster.put('services', service('green'));
  expect(await events.lines(2)).toEqual(['gone shop/blue-0/app', 'added shop/green-0/app']);
});

test('a new Deployment that a glob means joins, also when its pods come first', async () => {
  web();
  const events = follow(['deployments/w*']);
  expect(await events.lines(2)).toEqual(['notice no-pods', 'synced open']);
  const late = workload('apps/v1', 'Deployment', 'worker');
  const set = replicaSet('worker-1', late);
  cluster.put('pods', pod('worker-1-a', { labels: { app: 'worker' }, owner: set }));
  cluster.put('deployments', late);
  expect(await events.line()).toBe('added shop/worker-1-a/app');
});

test('a new namespace that a glob means joins, and leaves when it is deleted', async () => {
  cluster.put('namespaces', namespace('ns-1'));
  cluster.put('pods', pod('a', { namespace: 'ns-1' }));
  const events = follow(['ns-*:pods/*']);
  expect(await events.lines(2)).toEqual(['added ns-1/a/app', 'synced open']);
  cluster.put('namespaces', namespace('ns-2'));
  cluster.put('namespaces', namespace('other'));
  cluster.put('pods', pod('b', { namespace: 'ns-2' }));
  cluster.put('pods', pod('c', { namespace: 'other' }));
  expect(await events.line()).toBe('added ns-2/b/app');
  cluster.remove('namespaces', undefined, 'ns-2');
  expect(await events.line()).toBe('gone ns-2/b/app');
});

test('an ephemeral container that is added later joins', async () => {
  cluster.put('pods', pod('web-0', { uid: 'u' }));
  const events = follow(['pods/web-0/*']);
  await events.lines(2);
  cluster.put('pods', pod('web-0', { uid: 'u', ephemeral: ['debugger'] }));
  expect(await events.line()).toBe('added shop/web-0/debugger');
});

test('a pod joins when it is scheduled to a node that the filter means', async () => {
  cluster.put('nodes', node('node-1', { 'topology.kubernetes.io/zone': 'a' }));
  cluster.put('pods', pod('web-0', { uid: 'u', phase: 'Pending' }));
  const events = follow(['pods/*'], { zones: ['a'] });
  expect(await events.lines(2)).toEqual(['notice filter-leaves-none', 'synced open']);
  cluster.put('pods', pod('web-0', { uid: 'u', node: 'node-1' }));
  expect(await events.next()).toMatchObject({
    type: 'added',
    target: { placement: { node: 'node-1', zone: 'a' } },
  });
});

test('a container of two sources leaves when both have left', async () => {
  cluster.put('pods', pod('web-0', { uid: 'u', labels: { a: '1', b: '1' } }));
  cluster.put('services', workload('v1', 'Service', 'a', { spec: { selector: { a: '1' } } }));
  cluster.put('services', workload('v1', 'Service', 'b', { spec: { selector: { b: '1' } } }));
  const events = follow(['svc/a', 'svc/b']);
  expect(await events.lines(2)).toEqual(['added shop/web-0/app', 'synced open']);
  cluster.put('pods', pod('web-0', { uid: 'u', labels: { b: '1' } }));
  cluster.put('pods', pod('web-0', { uid: 'u' }));
  expect(await events.line()).toBe('gone shop/web-0/app');
});

test('a relist that lacks a pod means that it is gone', async () => {
  cluster.put('pods', pod('web-0'));
  const kept = cluster.put('pods', pod('web-1'));
  const events = follow(['pods/*']);
  await events.lines(3);
  cluster.send('pods', { type: 'snapshot', objects: [kept] });
  expect(await events.line()).toBe('gone shop/web-0/app');
});

test('reports polling and outages once, and again when they recur', async () => {
  cluster.put('pods', pod('web-0'));
  const events = follow(['pods/*']);
  await events.lines(2);
  const error = new KubeError({ kind: 'connection', message: 'connection refused' });
  const retrying = { type: 'state', state: 'retrying', error } as const;
  const live = { type: 'state', state: 'live' } as const;
  cluster.send('pods', { type: 'state', state: 'polling' });
  for (const event of [retrying, retrying, live, retrying, live]) cluster.send('pods', event);
  expect(await events.lines(5)).toEqual([
    'notice polling',
    'notice cluster-away',
    'notice cluster-back',
    'notice cluster-away',
    'notice cluster-back',
  ]);
});

test('a version that the server no longer has is no outage: neither it nor its end is reported', async () => {
  cluster.put('pods', pod('web-0'));
  const events = follow(['pods/*']);
  await events.lines(2);
  const gone = new KubeError({ kind: 'gone', status: 410, message: 'too old resource version: 5 (9)' });
  const error = new KubeError({ kind: 'connection', message: 'connection refused' });
  const live = { type: 'state', state: 'live' } as const;
  cluster.send('pods', { type: 'state', state: 'retrying', error: gone });
  cluster.send('pods', live);
  cluster.send('pods', { type: 'state', state: 'retrying', error });
  cluster.send('pods', { type: 'state', state: 'retrying', error: gone });
  cluster.send('pods', live);
  const reported = [await events.next(), await events.next()];
  expect(reported).toMatchObject([
    { code: 'cluster-away', data: { why: expect.stringContaining('refused') } },
    { code: 'cluster-back' },
  ]);
});

test('reports once that a cluster refuses credentials, and once that a cluster restarts', async () => {
  const set = replicaSet('web-1', web());
  cluster.put('pods', pod('web-1-a', { labels: { app: 'web' }, owner: set }));
  const events = follow(['deployments/web']);
  await events.lines(2);
  const retrying = (kind: 'unauthorized' | 'connection' | 'server') =>
    ({ type: 'state', state: 'retrying', error: new KubeError({ kind, message: 'no' }) }) as const;
  for (const kind of ['connection', 'server', 'connection', 'unauthorized'] as const)
    for (const type of ['pods', 'deployments']) cluster.send(type, retrying(kind));
  for (const type of ['pods', 'deployments']) cluster.send(type, { type: 'state', state: 'live' });
  cluster.put('pods', pod('web-1-b', { labels: { app: 'web' }, owner: set }));
  expect(await events.lines(4)).toEqual([
    'notice cluster-away',
    'notice cluster-refuses',
    'notice cluster-back',
    'added shop/web-1-b/app',
  ]);
});

test('polling that works again ends an outage', async () => {
  cluster.put('pods', pod('web-0'));
  const events = follow(['pods/*']);
  await events.lines(2);
  const error = new KubeError({ kind: 'connection', message: 'connection refused' });
  cluster.send('pods', { type: 'state', state: 'polling' });
  cluster.send('pods', { type: 'state', state: 'retrying', error });
  cluster.send('pods', { type: 'state', state: 'polling' });
  expect(await events.lines(3)).toEqual(['notice polling', 'notice cluster-away', 'notice cluster-back']);
});

test('it ends when every source failed', async () => {
  cluster.put('namespaces', namespace('shop'));
  const events = follow(['nope', 'nada']);
  expect(await events.lines(4)).toEqual([
    'failed source-not-found',
    'failed source-not-found',
    'synced closed',
    'end',
  ]);
});

test('one container that no pod has ends its source', async () => {
  cluster.put('pods', pod('web-0'));
  const events = follow(['pods/web-0/nope']);
  expect(await events.lines(3)).toEqual(['failed container-not-found', 'synced closed', 'end']);
});

test('each source of a workload watches no more than its own pods', async () => {
  web();
  const events = follow(['deployments/web']);
  await events.lines(2);
  expect(cluster.watched).toEqual(['watch deployments shop web', 'watch pods shop app=web']);
});

test('pods whose owner is made again with --cascade=orphan stay, adopted or not', async () => {
  const labels = { app: 'db' };
  const first = workload('apps/v1', 'StatefulSet', 'db', { uid: 'first' });
  cluster.put('statefulsets', first);
  for (const name of ['db-0', 'db-1']) cluster.put('pods', pod(name, { uid: name, labels, owner: first }));
  const events = follow(['sts/db']);
  await events.lines(3);
  cluster.remove('statefulsets', 'shop', 'db');
  for (const name of ['db-0', 'db-1']) cluster.put('pods', pod(name, { uid: name, labels }));
  const second = workload('apps/v1', 'StatefulSet', 'db', { uid: 'second' });
  cluster.put('statefulsets', second);
  cluster.put('pods', pod('db-0', { uid: 'db-0', labels, owner: second }));
  cluster.put('pods', pod('db-2', { uid: 'db-2', labels, owner: second }));
  expect(await events.line()).toBe('added shop/db-2/app');
  cluster.remove('pods', 'shop', 'db-1');
  expect(await events.line()).toBe('gone shop/db-1/app');
});

test('a pod that its controller released for its labels leaves, and so does one that another adopted', async () => {
  const root = workload('apps/v1', 'StatefulSet', 'db');
  cluster.put('statefulsets', root);
  for (const name of ['db-0', 'db-1'])
    cluster.put('pods', pod(name, { uid: name, labels: { app: 'db' }, owner: root }));
  const events = follow(['sts/*']);
  await events.lines(3);
  cluster.put('pods', pod('db-0', { uid: 'db-0', labels: { app: 'set-aside' } }));
  expect(await events.line()).toBe('gone shop/db-0/app');
  const other = workload('apps/v1', 'ReplicaSet', 'other');
  cluster.put('pods', pod('db-1', { uid: 'db-1', labels: { app: 'db' }, owner: other }));
  expect(await events.line()).toBe('gone shop/db-1/app');
});

test('a pod with the labels and without an owner does not join', async () => {
  const root = workload('apps/v1', 'StatefulSet', 'db');
  cluster.put('statefulsets', root);
  cluster.put('pods', pod('db-0', { labels: { app: 'db' }, owner: root }));
  const events = follow(['sts/db']);
  await events.lines(2);
  cluster.put('pods', pod('impostor', { labels: { app: 'db' } }));
  cluster.put('pods', pod('db-1', { labels: { app: 'db' }, owner: root }));
  expect(await events.line()).toBe('added shop/db-1/app');
});

test('reports credentials that expired meanwhile with what to do', async () => {
  cluster.put('pods', pod('web-0'));
  const events = follow(['pods/*']);
  await events.lines(2);
  const error = new KubeError({ kind: 'unauthorized', status: 401, message: 'Unauthorized' });
  cluster.send('pods', { type: 'state', state: 'retrying', error });
  const event = await events.next();
  expect(event).toMatchObject({ type: 'notice' });
  expect(event?.type === 'notice' && noticeText(event)).toMatch(
    /trying again: the cluster does not accept the credentials.*; log in again/,
  );
});

test('reports an unreachable cluster once, however much is watched', async () => {
  const set = replicaSet('web-1', web());
  cluster.put('pods', pod('web-1-a', { labels: { app: 'web' }, owner: set }));
  const events = follow(['deployments/web']);
  await events.lines(2);
  for (const [type, message] of [
    ['pods', 'the connection was cut'],
    ['deployments', 'connection refused'],
  ] as const) {
    const error = new KubeError({ kind: 'connection', message });
    cluster.send(type, { type: 'state', state: 'retrying', error });
  }
  for (const type of ['pods', 'deployments']) cluster.send(type, { type: 'state', state: 'live' });
  cluster.put('pods', pod('web-1-b', { labels: { app: 'web' }, owner: set }));
  expect([await events.next(), await events.next(), await events.next()]).toMatchObject([
    {
      type: 'notice',
      code: 'cluster-away',
      data: { why: 'the connection was cut' },
    },
    { type: 'notice', code: 'cluster-back', data: {} },
    { type: 'added' },
  ]);
});
