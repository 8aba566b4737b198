import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, onTestFinished, test } from 'vitest';
import { onPage } from '../../../../../test/support/on-page.ts';
import { type TestContext, testKubeconfig } from '../../../../../test/support/server/kubeconfig.ts';
import { recorder } from '../../../../../test/support/server/start-dashboard.ts';
import {
  type Handler,
  sendJson,
  startScriptedServer,
} from '../../../../../test/support/tls-server/scripted-server.ts';
import type { Session } from '../services.ts';
import { IDLE_MS } from './client-pool.ts';
import { ASK_TIMEOUT_MS, createClusters } from './create-clusters.ts';
import { CHECK_EVERY_MS, kubeconfigSource } from './kubeconfig-source.ts';

const ours: Session = { id: 'ours', pageToken: 't' };
const ann: Session = { id: 'ann', pageToken: 't', bearer: 'ann-token' };
const bob: Session = { id: 'bob', pageToken: 't', bearer: 'bob-token' };
const forEver = new AbortController().signal;

const pods = (items: readonly object[] = []) => ({ metadata: { resourceVersion: '1' }, items });
const answerAll: Handler = (request, response) =>
  request.url === '/version'
    ? sendJson(response, 200, { gitVersion: 'v1.35.0' })
    : sendJson(response, 200, pods([{ metadata: { name: 'n', uid: 'u', resourceVersion: '1' } }]));

async function start(handler: Handler = answerAll, more: readonly TestContext[] = []) {
  const server = await startScriptedServer(handler);
  const context: TestContext = {
    name: 'here',
    server: server.url.href,
    token: 'config-token',
    ca: server.certificate.cert,
  };
  const kubeconfig = await testKubeconfig([context, ...more]);
  const clock = new FakeClock();
  const logger = recorder([]);
  const { file, directory } = kubeconfig;
  const source = await kubeconfigSource({
    kubeconfig: file,
    env: {},
    homeDirectory: directory,
    clock,
    logger,
  });
  const clusters = createClusters({ source, clock, version: 'test', logger });
  onTestFinished(async () => {
    await clusters.close();
    await server.close();
  });
  const until = async (isSo: () => boolean) => {
    while (!isSo()) {
      await clock.advance(CHECK_EVERY_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const listPods = async (lease: Awaited<ReturnType<typeof clusters.client>>) => {
    for await (const page of lease.client.list(PODS, { namespace: 'x' })) void page;
  };
  return { server, context, kubeconfig, clock, source, clusters, until, listPods };
}

const authorizations = (server: { readonly headers: readonly { authorization?: string | undefined }[] }) =>
  server.headers.map(({ authorization }) => authorization);

test('those who share credentials share a client, which is closed when it is idle', async () => {
  const { clusters, clock, server, listPods } = await start();
  const [first, second] = await Promise.all([clusters.client('here', ours), clusters.client('here', ours)]);
  expect(second.client).toBe(first.client);
  await listPods(first);
  first.release();
  first.release();
  await clock.advance(IDLE_MS);
  expect((await clusters.client('here', ours)).client).toBe(first.client);
  second.release();
  await listPods(second);
  expect(server.connections).toBe(1);
});

test('an idle client is thrown away, and another is made when one is wanted', async () => {
  const { clusters, clock } = await start();
  const first = await clusters.client('here', ours);
  first.release();
  await clock.advance(IDLE_MS);
  expect((await clusters.client('here', ours)).client).not.toBe(first.client);
});

test('after the end nothing is waited for, and no client is given out', async () => {
  const { clusters, clock } = await start();
  const lease = await clusters.client('here', ours);
  await clusters.close();
  lease.release();
  expect(clock.pending).toBe(0);
  await expect(clusters.client('here', ours)).rejects.toMatchObject({ code: 'closing' });
});

test('each person asks with their own token, never with that of the kubeconfig', async () => {
  const { clusters, server, listPods } = await start();
  for (const session of [ours, ann, bob]) {
    const lease = await clusters.client('here', session);
    await listPods(lease);
    lease.release();
  }
  expect(authorizations(server)).toEqual(['Bearer config-token', 'Bearer ann-token', 'Bearer bob-token']);
});

test("does not share one person's view of a cluster with another", async () => {
  const { clusters, server } = await start((request, response) =>
    request.headers.authorization === 'Bearer ann-token'
      ? answerAll(request, response)
      : sendJson(response, 401, { kind: 'Status', code: 401, message: 'Unauthorized' }),
  );
  await clusters.check('here', ann, forEver);
  expect(clusters.list(ann).contexts[0]).toMatchObject({
    reachability: 'reachable',
    version: 'v1.35.0',
    nodes: 1,
  });
  expect(clusters.list(bob).contexts[0]).toMatchObject({ reachability: 'unknown' });
  await clusters.check('here', bob, forEver);
  expect(clusters.list(bob).contexts[0]).toMatchObject({
    reachability: 'unreachable',
    error: { code: 'unauthorized' },
  });
  await clusters.endSession(ann);
  expect(clusters.list(ann).contexts[0]?.reachability).toBe('unknown');
  expect(server.requests.length).toBeGreaterThan(0);
});

test('a session that ends has its sockets closed, streams included', async () => {
  const { clusters, server } = await start((_, response) => void response.flushHeaders());
  const lease = await clusters.client('here', ann);
  const answer = await lease.client.log({ namespace: 'x', pod: 'y', follow: true });
  const read = (async () => {
    for await (const chunk of answer.body) void chunk;
  })();
  await Promise.all([clusters.endSession(ann), expect(read).rejects.toMatchObject({ kind: 'connection' })]);
  expect(server.connections).toBe(1);
});

test('a renewed credential serves those who have the client already', async () => {
  const { clusters, server, kubeconfig, context, source, until, listPods } = await start();
  const lease = await clusters.client('here', ours);
  await listPods(lease);
  await kubeconfig.write([{ ...context, token: 'renewed' }]);
  await until(() => source.revision === 2);
  // The source reports the change; the pool then opens a connection with the new credentials.
  while (!authorizations(server).includes('Bearer renewed')) await listPods(lease);
  expect((await clusters.client('here', ours)).client).toBe(lease.client);
});

test('a context that leads elsewhere is another client; what is open stays with the old cluster', async () => {
  const { clusters, kubeconfig, context, source, until, listPods } = await start();
  const lease = await clusters.client('here', ours);
  await kubeconfig.write([{ ...context, server: 'https://127.0.0.1:1' }]);
  await until(() => source.revision === 2);
  const next = await clusters.client('here', ours);
  expect(next.client.cluster.server).toBe('https://127.0.0.1:1');
  await listPods(lease);
  lease.release();
});

test('reports an absent cluster with its cause, and finds it again', async () => {
  const { clusters, kubeconfig, context, source, until } = await start(answerAll, [
    { name: 'gone', server: 'https://127.0.0.1:1' },
  ]);
  await clusters.check('gone', ours, forEver);
  const gone = () => clusters.list(ours).contexts.find(({ name }) => name === 'gone');
  expect(gone()?.reachability).toBe('unreachable');
  const error = gone()?.error;
  expect(error && onPage(error).why).toContain('refused');
  await kubeconfig.write([context, { ...context, name: 'gone' }]);
  await until(() => source.revision === 2);
  expect(gone()?.reachability).toBe('unknown');
  await clusters.check('gone', ours, forEver);
  expect(gone()?.reachability).toBe('reachable');
});

test('a cluster that says nothing is given up', async () => {
  const { clusters, clock, server } = await start(() => {});
  const checked = clusters.check('here', ours, forEver);
  await server.waitForRequests(2);
  await clock.advance(ASK_TIMEOUT_MS);
  await checked;
  expect(clusters.list(ours).contexts[0]?.error).toMatchObject({ code: 'unreachable' });
});

test('nodes that may not be listed are not counted', async () => {
  const { clusters } = await start((request, response) =>
    request.url === '/version'
      ? answerAll(request, response)
      : sendJson(response, 403, { kind: 'Status', code: 403 }),
  );
  await clusters.check('here', ours, forEver);
  expect(clusters.list(ours).contexts[0]).not.toHaveProperty('nodes');
  expect(clusters.list(ours).contexts[0]?.reachability).toBe('reachable');
});

test('waiting for a change ends with the change, or with the waiting client', async () => {
  const { clusters, kubeconfig, context, until } = await start();
  await clusters.changed(0, forEver);
  let has = false;
  const waiting = clusters.changed(1, forEver).then(() => {
    has = true;
  });
  await kubeconfig.write([{ ...context, name: 'other' }]);
  await until(() => has);
  await waiting;
  const leaving = new AbortController();
  const left = clusters.changed(99, leaving.signal);
  leaving.abort();
  await left;
});

test('reports an unknown context', async () => {
  const { clusters } = await start();
  await expect(clusters.client('__proto__', ours)).rejects.toMatchObject({ code: 'context-not-found' });
  await clusters.check('nowhere', ours, forEver);
});
