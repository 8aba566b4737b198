import type { ChartActionContext } from '@logtool/helm/src/actions/action.ts';
import { install } from '@logtool/helm/src/actions/install.ts';
import { uninstall } from '@logtool/helm/src/actions/uninstall.ts';
import { upgrade } from '@logtool/helm/src/actions/upgrade.ts';
import { clusterStorage } from '@logtool/helm/src/release/cluster-storage.ts';
import { CHARTS_IN_PROCESS } from '@logtool/helm/src/render/charts-in-process.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HelmCluster, quickClock, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { chartOf, TINY, valuesOf } from '../../../../test/support/helm/tiny-chart.ts';

/* Messages for people who lack some of a command's permissions. */
const all = ['get', 'list', 'create', 'update', 'patch', 'delete'];
const secrets = { namespace: 'default', resources: ['secrets'], verbs: all };
const scenario = {
  namespace: 'default',
  nodes: [{ name: 'node-a' }],
  namespaces: ['default'],
  users: [
    { name: 'owner', rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
    { name: 'records-only', rules: [secrets] },
    {
      name: 'no-deployments',
      rules: [secrets, { namespace: 'default', resources: ['configmaps'], verbs: all }],
    },
  ],
  workloads: [],
};

let cluster: HelmCluster;
beforeAll(async () => {
  cluster = await startHelmCluster(scenario);
});
afterAll(() => cluster.close());

async function as(user: string): Promise<ChartActionContext> {
  const client = await cluster.connect(user);
  return {
    client,
    clock: quickClock,
    charts: CHARTS_IN_PROCESS,
    storage: clusterStorage(client, quickClock),
  };
}
const options = (name: string, values: string, preflight?: boolean) => ({
  name,
  namespace: 'default',
  chart: chartOf(TINY),
  values: valuesOf(values),
  createNamespace: false,
  atomic: false,
  wait: true,
  timeoutMs: 60_000,
  dryRun: false,
  preflight,
});
const failureOf = (action: Promise<unknown>) =>
  action.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A right that is missing on an object of a release: `-web` is its Deployment. */
const rightOn = (verb: string, name: string) => ({
  verb,
  ...(name.endsWith('-web')
    ? { group: 'apps', resource: 'deployments' }
    : { group: '', resource: 'configmaps' }),
  namespace: 'default',
  name,
  lacking: [],
});

test('names all missing rights at once, including those to read objects', async () => {
  const context = await as('records-only');
  const failure = await failureOf(install(context, options('w', '{}')));
  expect(failure).toEqual(
    helmFailed('rights-missing', {
      user: 'records-only',
      missing: ['w-config', 'w-kept', 'w-web'].flatMap((name) =>
        ['create', 'get', 'patch'].map((verb) => rightOn(verb, name)),
      ),
    }),
  );
  expect(await context.storage.history('default', 'w', {})).toEqual([]);
});

test('an upgrade that adds objects names the rights that these take', async () => {
  const owner = await as('owner');
  await install(owner, options('up', '{}'));
  const context = await as('records-only');
  const failure = await failureOf(upgrade(context, options('up', '{extra: true}')));
  expect(failure).toEqual(
    helmFailed('rights-missing', {
      user: 'records-only',
      missing: [
        rightOn('get', 'up-config'),
        rightOn('patch', 'up-config'),
        rightOn('create', 'up-extra'),
        rightOn('get', 'up-extra'),
        rightOn('patch', 'up-extra'),
        rightOn('get', 'up-kept'),
        rightOn('patch', 'up-kept'),
        rightOn('get', 'up-web'),
        rightOn('patch', 'up-web'),
      ],
    }),
  );
  expect(await context.storage.history('default', 'up', {})).toHaveLength(1);
  await uninstall(owner, {
    name: 'up',
    namespace: 'default',
    wait: true,
    timeoutMs: 60_000,
    keepHistory: false,
  });
});

test('without the preflight, reports the first refusal', async () => {
  const context = await as('no-deployments');
  const failure = await failureOf(install(context, options('skip', '{}', false)));
  expect(failure).toBeInstanceOf(KubeError);
  expect((failure as KubeError).message).toContain('deployments.apps "skip-web" is forbidden');
  expect(await context.storage.history('default', 'skip', {})).toEqual([]);
});

test('without permission to review rights, says so, and continues without the review if asked to', async () => {
  const context = await as('owner');
  cluster.sim.inject({ kind: 'status', status: 403, match: 'selfsubjectaccessreviews' });
  expect(await failureOf(install(context, options('mute', '{}')))).toEqual(
    helmFailed('rights-unknown', { user: 'owner', why: 'forbidden by an injected fault' }),
  );
  expect(await context.storage.history('default', 'mute', {})).toEqual([]);
  const { info } = await install(context, { ...options('mute', '{}', false), wait: false });
  cluster.sim.clearFaults();
  expect(info.status).toBe('deployed');
});
