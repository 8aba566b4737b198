import { rm } from 'node:fs/promises';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type TestContext, testKubeconfig } from '../../../../../test/support/server/kubeconfig.ts';
import { type Logged, recorder } from '../../../../../test/support/server/start-dashboard.ts';
import type { ContextSource } from './context-source.ts';
import { CHECK_EVERY_MS, kubeconfigSource } from './kubeconfig-source.ts';

const shop: TestContext = {
  name: 'shop',
  server: 'https://ann:pw@shop.example:6443/k8s/',
  token: 'one',
  namespace: 'web',
};
const lab: TestContext = { name: 'lab', server: 'https://lab.example', token: 'two' };

async function start(contexts: readonly TestContext[] = [shop], context?: string) {
  const kubeconfig = await testKubeconfig(contexts);
  const clock = new FakeClock();
  const logged: Logged[] = [];
  const source = await kubeconfigSource({
    kubeconfig: kubeconfig.file,
    context,
    env: {},
    homeDirectory: kubeconfig.directory,
    clock,
    logger: recorder(logged),
  });
  onTestFinished(() => source.close());
  return { kubeconfig, clock, logged, source };
}

/** Advances the clock until the source reports a change. */
async function untilChanged(source: ContextSource, clock: FakeClock): Promise<void> {
  let changed = false;
  const stop = source.onChange(() => {
    changed = true;
  });
  while (!changed) {
    await clock.advance(CHECK_EVERY_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
  stop();
}

const namesOf = (source: ContextSource) => [...source.contexts.keys()];

test('returns the contexts without anything secret', async () => {
  const { source } = await start([shop, lab]);
  expect([...source.contexts.values()]).toMatchObject([
    { name: 'shop', server: 'https://shop.example:6443/k8s', namespace: 'web', isCurrent: true },
    { name: 'lab', server: 'https://lab.example', namespace: 'default', isCurrent: false },
  ]);
});

test('shows an added context, and removes a deleted one', async () => {
  const { kubeconfig, clock, source } = await start();
  await kubeconfig.write([shop, lab], 'lab');
  await untilChanged(source, clock);
  expect([namesOf(source), source.revision]).toEqual([['shop', 'lab'], 2]);
  expect(source.contexts.get('lab')?.isCurrent).toBe(true);
  await kubeconfig.write([lab]);
  await untilChanged(source, clock);
  expect([namesOf(source), source.revision]).toEqual([['lab'], 3]);
});

test('a context that was asked for stays the first one, whichever the kubeconfig has', async () => {
  const { kubeconfig, clock, source } = await start([shop, lab], 'lab');
  expect(source.contexts.get('lab')?.isCurrent).toBe(true);
  await kubeconfig.write([lab, shop], 'shop');
  await untilChanged(source, clock);
  expect([...source.contexts.values()].map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
});

test('a renewed credential changes only the credentials, another server the cluster', async () => {
  const { kubeconfig, clock, source } = await start();
  const before = source.contexts.get('shop');
  await kubeconfig.write([{ ...shop, token: 'renewed' }]);
  await untilChanged(source, clock);
  const renewed = source.contexts.get('shop');
  expect(renewed?.clusterPrint).toBe(before?.clusterPrint);
  expect(renewed?.userPrint).not.toBe(before?.userPrint);
  await kubeconfig.write([{ ...shop, server: 'https://elsewhere.example' }]);
  await untilChanged(source, clock);
  expect(source.contexts.get('shop')?.clusterPrint).not.toBe(before?.clusterPrint);
});

test('keeps the previous contexts of a broken file and reports it; uses the file once it is fixed', async () => {
  const { kubeconfig, clock, source, logged } = await start();
  await kubeconfig.writeText('contexts: [');
  await untilChanged(source, clock);
  expect(source.error).toMatchObject({ code: 'kubeconfig-invalid' });
  expect([namesOf(source), source.revision]).toEqual([['shop'], 2]);
  expect(logged.map(({ level }) => level)).toEqual(['warn']);
  const connection = await source.open('shop', undefined);
  expect(connection.server.host).toBe('shop.example:6443');
  connection.close();
  await kubeconfig.write([shop, lab]);
  await untilChanged(source, clock);
  expect([source.error, namesOf(source), source.revision]).toEqual([undefined, ['shop', 'lab'], 3]);
});

test('restoring the previous content removes the error as well', async () => {
  const { kubeconfig, clock, source } = await start();
  await kubeconfig.writeText('{');
  await untilChanged(source, clock);
  await kubeconfig.write([shop]);
  await untilChanged(source, clock);
  expect([source.error, namesOf(source)]).toEqual([undefined, ['shop']]);
});

test('reports a removed file, and finds it again', async () => {
  const { kubeconfig, clock, source } = await start();
  await rm(kubeconfig.file);
  await untilChanged(source, clock);
  expect(source.error).toMatchObject({ code: 'kubeconfig-not-found' });
  await kubeconfig.write([lab]);
  await untilChanged(source, clock);
  expect([source.error, namesOf(source)]).toEqual([undefined, ['lab']]);
});

test('contexts of strange names and broken entries are listed, and harm nothing', async () => {
  const { kubeconfig, clock, source } = await start();
  const contexts = ['__proto__', 'constructor', 'arn:aws:eks:eu-1:1:cluster/x'];
  await kubeconfig.writeText(
    JSON.stringify({
      contexts: contexts.map((name) => ({ name, context: { cluster: 'none', user: 7 } })),
      'current-context': 'constructor',
    }),
  );
  await untilChanged(source, clock);
  expect(namesOf(source)).toEqual(contexts);
  await expect(source.open('__proto__', undefined)).rejects.toThrow();
});

test('without a kubeconfig it does not begin', async () => {
  const options = { env: {}, homeDirectory: '/nowhere', clock: new FakeClock(), logger: recorder([]) };
  await expect(kubeconfigSource({ ...options, kubeconfig: '/nowhere/config' })).rejects.toMatchObject({
    code: 'kubeconfig-not-found',
  });
});

test('closed, it looks no more', async () => {
  const { clock, source } = await start();
  source.close();
  expect(clock.pending).toBe(0);
});
