import { get } from 'node:https';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask, kubeconfigAt } from '../../test/support/ask.ts';
import { podStatus } from '../controllers/objects.ts';
import { type SimCluster, startSimCluster } from '../start.ts';

const PODS = '/api/v1/namespaces/shop/pods';
const LOG = `${PODS}/db-0/log`;
const READ = ['get', 'list', 'watch'];

async function start(): Promise<{ cluster: SimCluster; clock: FakeClock }> {
  const clock = new FakeClock();
  const containers = [{ name: 'app', lines: ['up'] }];
  const cluster = await startSimCluster({
    clock,
    scenario: {
      startDelays: 'none',
      nodes: [{ name: 'a' }, { name: 'late', clockSkew: '-1h' }],
      namespaces: ['shop', 'other'],
      users: [
        {
          name: 'dev',
          namespace: 'shop',
          rules: [{ resources: ['pods', 'pods/log', 'nodes'], verbs: READ }],
        },
        { name: 'cert', auth: 'certificate' },
      ],
      workloads: [
        {
          kind: 'StatefulSet',
          name: 'db',
          replicas: 2,
          containers,
          nodeSelector: { 'kubernetes.io/hostname': 'a' },
        },
        { kind: 'Pod', name: 'slow', nodeName: 'late', containers },
      ],
    },
  });
  onTestFinished(() => cluster.close());
  return { cluster, clock };
}

async function textOf(cluster: SimCluster, path: string): Promise<string> {
  return (await (await ask(cluster, 'admin', path)).body).text;
}

async function statusOf(cluster: SimCluster, user: string, path: string, token?: string): Promise<number> {
  const asked = await ask(cluster, user, path, token);
  await asked.body;
  return asked.status;
}

describe('lines', () => {
  it('writes them now, and returns their timestamps', async () => {
    const { cluster } = await start();
    const written = await cluster.control.writeLines({ pod: 'db-0', text: 'order {n}', count: 3 });
    const lines = (await textOf(cluster, `${LOG}?timestamps=true&tailLines=3`)).split('\n');
    expect(lines.slice(0, 3).map((line) => line.slice(31))).toEqual(['order 1', 'order 2', 'order 3']);
    const [first = '', , last = ''] = lines;
    expect(written).toEqual([
      {
        namespace: 'shop',
        pod: 'db-0',
        container: 'app',
        count: 3,
        first: first.slice(0, 30),
        last: last.slice(0, 30),
      },
    ]);
    expect(first.slice(0, 30) < last.slice(0, 30)).toBe(true);
  });

  it('may each have their own text, go to all pods of a workload, and to stderr', async () => {
    const { cluster } = await start();
    const target = { namespace: 'shop', workload: 'statefulsets/db', container: 'app' };
    const written = await cluster.control.writeLines({ ...target, text: ['a', 'b'], stream: 'stderr' });
    expect(written.map(({ pod, count }) => [pod, count])).toEqual([
      ['db-0', 2],
      ['db-1', 2],
    ]);
    expect(await textOf(cluster, LOG)).toBe('up\na\nb\n');
  });

  it('carry the time of a node whose clock is off', async () => {
    const { cluster } = await start();
    const [written] = await cluster.control.writeLines({ pod: 'slow', count: 2 });
    expect(written).toMatchObject({
      first: '2026-11-21T09:00:00.000000000Z',
      last: '2026-11-21T09:00:00.000001000Z',
    });
  });

  it('come at a rate in a burst', async () => {
    const { cluster, clock } = await start();
    const lines = async () => (await textOf(cluster, LOG)).split('\n').length - 2;
    const burst = cluster.control.writeBurst({ pod: 'db-0', text: 'b{n}', count: 500, perSecond: 1000 });
    await clock.advance(100);
    expect(await lines()).toBe(100);
    await clock.advance(400);
    expect(await burst).toMatchObject([{ pod: 'db-0', count: 500 }]);
    expect(await lines()).toBe(500);
    expect(await textOf(cluster, `${LOG}?tailLines=1`)).toBe('b500\n');
  });

  it('report that no container can write them', async () => {
    const { cluster, clock } = await start();
    await expect(cluster.control.writeLines({ pod: 'nobody' })).rejects.toThrow(
      'no pod nobody in namespace shop',
    );
    const burst = cluster.control.writeBurst({ pod: 'db-0', count: 1000, perSecond: 100 });
    const failed = expect(burst).rejects.toThrow('is over');
    await cluster.control.crashContainer({ pod: 'db-0' });
    await clock.advance(20_000);
    await failed;
  });
});

describe('pods', () => {
  it('are deleted, crash and are scaled; logs are rotated', async () => {
    const { cluster, clock } = await start();
    await cluster.control.crashContainer({ pod: 'db-0', code: 9 });
    const pod = (name: string) => cluster.store.get('pods', 'shop', name);
    expect(pod('db-0')?.status).toMatchObject({
      containerStatuses: [{ state: { terminated: { exitCode: 9 } } }],
    });
    const { uid } = pod('db-1')?.metadata ?? {};
    await cluster.control.deletePod({ pod: 'db-1', gracePeriodSeconds: 0 });
    expect(pod('db-1')?.metadata.uid).not.toBe(uid);
    await clock.advance(60_000);
    await cluster.control.scale({ workload: 'statefulsets/db', replicas: 1 });
    await clock.advance(60_000);
    expect(cluster.store.list('pods', 'shop').map(({ metadata }) => metadata.name)).toEqual(['db-0', 'slow']);
    await cluster.control.rotateLog({ pod: 'slow' });
    expect(await textOf(cluster, `${PODS}/slow/log`)).toBe('');
    expect(podStatus(pod('slow') as never).containerStatuses?.[0]?.restartCount).toBe(0);
  });
});

describe('the server', () => {
  it('dies without an end of what it was saying, and comes back on its port', async () => {
    const { cluster } = await start();
    const log = await ask(cluster, 'admin', `${LOG}?follow=true`);
    await log.holds('up');
    await cluster.control.killServer();
    expect(await log.body).toEqual({ text: 'up\n', cut: true });
    await expect(ask(cluster, 'admin', '/version')).rejects.toThrow('ECONNREFUSED');
    await cluster.control.restartServer();
    expect(await textOf(cluster, LOG)).toBe('up\n');
  });

  it('drops the watches that run, not those that come later', async () => {
    const { cluster } = await start();
    const [pods, nodes] = [
      await ask(cluster, 'admin', `${PODS}?watch=1`),
      await ask(cluster, 'admin', '/api/v1/nodes?watch=1'),
    ];
    await Promise.all([pods.holds('db-1'), nodes.holds('late')]);
    expect(await cluster.control.dropWatches({ match: '/pods' })).toEqual({ dropped: 1 });
    expect((await pods.body).cut).toBe(true);
    const later = await ask(cluster, 'admin', `${PODS}?watch=1`);
    await later.holds('db-1');
    expect(await cluster.control.dropWatches()).toEqual({ dropped: 2 });
    expect([(await nodes.body).cut, (await later.body).cut]).toEqual([true, true]);
  });

  it.each([
    ['reset', true],
    ['end', false],
  ] as const)('cuts the logs that are followed: %s', async (how, cut) => {
    const { cluster } = await start();
    const logs = await Promise.all(
      ['db-0', 'db-1'].map((pod) => ask(cluster, 'admin', `${PODS}/${pod}/log?follow=1`)),
    );
    await Promise.all(logs.map((log) => log.holds('up')));
    expect(await cluster.control.cutLogs({ how, match: 'db-1' })).toEqual({ cut: 1 });
    expect(await logs[1]?.body).toEqual({ text: 'up\n', cut });
    await cluster.control.writeLines({ pod: 'db-0', text: 'still there' });
    await logs[0]?.holds('still there');
    expect(await cluster.control.cutLogs({ how })).toEqual({ cut: 1 });
    expect(await logs[0]?.body).toEqual({ text: 'up\nstill there\n', cut });
  });
});

describe('access', () => {
  it('is denied in one namespace and kept in the others', async () => {
    const { cluster } = await start();
    expect(await statusOf(cluster, 'dev', PODS)).toBe(200);
    expect(await statusOf(cluster, 'dev', '/api/v1/pods')).toBe(200);
    await cluster.control.denyNamespace({ user: 'dev', namespace: 'shop' });
    expect(await statusOf(cluster, 'dev', PODS)).toBe(403);
    expect(await statusOf(cluster, 'dev', LOG)).toBe(403);
    expect(await statusOf(cluster, 'dev', '/api/v1/pods')).toBe(403);
    expect(await statusOf(cluster, 'dev', '/api/v1/namespaces/other/pods')).toBe(200);
    expect(await statusOf(cluster, 'dev', '/api/v1/nodes')).toBe(200);
    await cluster.control.setRules({
      user: 'dev',
      rules: [{ namespace: 'shop', apiGroups: [''], resources: ['pods'], verbs: READ }],
    });
    expect(await statusOf(cluster, 'dev', PODS)).toBe(200);
    expect(await statusOf(cluster, 'dev', '/api/v1/nodes')).toBe(403);
    await expect(cluster.control.denyNamespace({ user: 'nobody', namespace: 'shop' })).rejects.toThrow(
      'nobody',
    );
  });

  it('ends with a token that is revoked, and begins again with a new one', async () => {
    const { cluster } = await start();
    const watch = await ask(cluster, 'dev', `${PODS}?watch=1`);
    await watch.holds('db-1');
    const old = (await kubeconfigAt(cluster.kubeconfig)).users.find(({ name }) => name === 'dev')?.user.token;
    await cluster.control.revokeToken({ user: 'dev' });
    expect(await statusOf(cluster, 'dev', PODS)).toBe(401);
    await cluster.control.deletePod({ pod: 'db-1', gracePeriodSeconds: 0 });
    await watch.holds('DELETED');
    await cluster.control.renewToken({ user: 'dev' });
    expect(await statusOf(cluster, 'dev', PODS)).toBe(200);
    expect(await statusOf(cluster, 'dev', PODS, old)).toBe(401);
    await expect(cluster.control.revokeToken({ user: 'cert' })).rejects.toThrow('user cert has no token');
    await expect(cluster.control.revokeToken({ user: 'who' })).rejects.toThrow('no user who');
  });

  it('ends with a certificate that is renewed, and begins again with the new one', async () => {
    const { cluster } = await start();
    const { path } = await cluster.control.kubeconfigOf({ user: 'cert' });
    const old = (await kubeconfigAt(path)).users[0]?.user;
    expect(await statusOf(cluster, 'cert', PODS)).not.toBe(401);
    await cluster.control.renewCertificate({ user: 'cert' });
    expect(
      (await kubeconfigAt(cluster.kubeconfig)).users.find(({ name }) => name === 'cert')?.user,
    ).not.toEqual(old);
    expect(await statusOf(cluster, 'cert', PODS)).not.toBe(401);
    const { key, cert } = {
      key: Buffer.from(old?.['client-key-data'] ?? '', 'base64'),
      cert: Buffer.from(old?.['client-certificate-data'] ?? '', 'base64'),
    };
    const status = await new Promise((resolve, reject) => {
      const options = { key, cert, rejectUnauthorized: false };
      get(`${cluster.server}${PODS}`, options, (answer) => resolve(answer.statusCode)).on('error', reject);
    });
    expect(status).toBe(401);
    await expect(cluster.control.renewCertificate({ user: 'dev' })).rejects.toThrow('no certificate');
  });

  it('is given to further users, in contexts that come and go', async () => {
    const { cluster } = await start();
    const { control, kubeconfig } = cluster;
    const rules = [{ namespace: 'other', apiGroups: [''], resources: ['pods'], verbs: READ }];
    await control.addUser({ name: 'guest', auth: 'token', namespace: 'other', rules });
    expect(await statusOf(cluster, 'guest', '/api/v1/namespaces/other/pods')).toBe(200);
    expect(await statusOf(cluster, 'guest', PODS)).toBe(403);
    await control.addContext({ name: 'second', user: 'guest', namespace: 'shop' });
    const contexts = async () => (await kubeconfigAt(kubeconfig)).contexts.map(({ name }) => name);
    expect(await contexts()).toEqual(['admin', 'dev', 'cert', 'guest', 'second']);
    const { path } = await control.kubeconfigOf({ user: 'guest' });
    const own = await kubeconfigAt(path);
    expect(own.users.map(({ name }) => name)).toEqual(['guest']);
    expect(own.contexts.map(({ name, context }) => [name, context.namespace])).toEqual([
      ['guest', 'other'],
      ['second', 'shop'],
    ]);
    await control.removeContext({ name: 'second' });
    expect(await contexts()).toEqual(['admin', 'dev', 'cert', 'guest']);
    await expect(control.addContext({ name: 'x', user: 'who' })).rejects.toThrow('no user who');
    await expect(control.addUser({ name: 'dev', auth: 'token' })).rejects.toThrow('there is a user dev');
  });
});
