import type { ChartActionContext } from '@logtool/helm/src/actions/action.ts';
import { history } from '@logtool/helm/src/actions/history.ts';
import { install } from '@logtool/helm/src/actions/install.ts';
import { upgrade } from '@logtool/helm/src/actions/upgrade.ts';
import { clusterStorage } from '@logtool/helm/src/release/cluster-storage.ts';
import { CHARTS_IN_PROCESS } from '@logtool/helm/src/render/charts-in-process.ts';
import { CONFIG_MAPS } from '@logtool/kube/src/builtin-resources.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HelmCluster, quickClock, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { chartOf, hook, TINY, valuesOf } from '../../../../test/support/helm/tiny-chart.ts';

/* What --atomic leaves, and what it reports. */
let cluster: HelmCluster;
let context: ChartActionContext;
beforeAll(async () => {
  cluster = await startHelmCluster();
  const { client } = cluster;
  context = {
    client,
    clock: quickClock,
    charts: CHARTS_IN_PROCESS,
    storage: clusterStorage(client, quickClock),
  };
});
afterAll(() => cluster.close());

const SOURCE = {
  ...TINY,
  'templates/broken.yaml':
    '{{- if .Values.broken }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-broken}\nsurprise: true\n{{- end }}\n',
  'templates/stuck.yaml':
    '{{- if .Values.stuck }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-stuck, annotations: {helm.sh/hook: "pre-rollback,pre-delete"}}\nsurprise: true\n{{- end }}\n',
};
const options = (name: string, values: string) => ({
  name,
  namespace: 'default',
  chart: chartOf(SOURCE),
  values: valuesOf(values),
  createNamespace: false,
  atomic: true,
  wait: true,
  timeoutMs: 60_000,
  dryRun: false,
});
const failureOf = (action: Promise<unknown>): Promise<unknown> =>
  action.then(
    () => undefined,
    (error: unknown) => error,
  );
const objectOf = (name: string) => `ConfigMap "${name}" in namespace "default"`;
/** The cluster does not know its field \`surprise\`. */
const refusedObject = (name: string) =>
  helmFailed('object-refused', {
    object: objectOf(name),
    why: `failed to create typed patch object (default/${name}; /v1, Kind=ConfigMap): .surprise: field not declared in schema`,
  });
const kept = (name: string) => ({ kind: 'object', object: objectOf(name), why: { by: 'policy' } }) as const;
const stuckHook = (event: string, name: string) =>
  helmFailed('hook-failed', {
    event,
    hook: { name, path: 'tiny/templates/stuck.yaml', kind: 'ConfigMap' },
    namespace: 'default',
    failure: refusedObject(name),
    isDeleted: false,
  });
/** Makes the Job fail as soon as it exists, with its controller's status. */
function failJob(name: string): () => void {
  const { store } = cluster.sim;
  return store.subscribe('jobs.batch', ({ type, object }) => {
    if (type !== 'ADDED' || object.metadata.name !== name) return;
    const message = 'Job has reached the specified backoff limit';
    const conditions = [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message }];
    setImmediate(() =>
      store.update('jobs.batch', object.metadata.namespace, name, (job) => {
        job.status = { failed: 1, conditions };
        return undefined;
      }),
    );
  });
}
const statuses = async (name: string) =>
  (await history(context, 'default', name)).map(({ version, info }) => `${version} ${info.status}`);
const configMaps = async (name: string) => {
  const names: string[] = [];
  for await (const { items } of cluster.client.list(CONFIG_MAPS, { namespace: 'default' }))
    names.push(...items.map(({ metadata }) => metadata.name).filter((one) => one.startsWith(`${name}-`)));
  return names.sort();
};

test('an installation that fails leaves nothing but what its resource policy keeps', async () => {
  const failure = await failureOf(install(context, options('fresh', '{broken: true}')));
  expect(failure).toEqual(
    helmFailed('release-taken-back', {
      action: { kind: 'installation', name: 'fresh' },
      failure: refusedObject('fresh-broken'),
      left: [kept('fresh-kept')],
    }),
  );
  expect(await configMaps('fresh')).toEqual(['fresh-kept']);
  expect(await context.storage.history('default', 'fresh', {})).toEqual([]);
});

test('does not report objects that were never made as left, and does not point to deleted ones', async () => {
  const chart = chartOf({ ...TINY, ...hook('pre-install') });
  const unsubscribe = failJob('early-pre-install');
  const failure = await failureOf(
    install(context, { ...options('early', '{}'), chart, namespace: 'made', createNamespace: true }),
  );
  unsubscribe();
  const name = 'early-pre-install';
  const failed = helmFailed('wait-failed', {
    wanted: 'done',
    pending: {
      object: `Job "${name}" in namespace "made"`,
      obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
    },
    inspect: { kind: 'describe', resource: 'jobs', name, namespace: 'made' },
  });
  expect(failure).toEqual(
    helmFailed('release-taken-back', {
      action: { kind: 'installation', name: 'early' },
      failure: helmFailed('hook-failed', {
        event: 'pre-install',
        hook: { name, path: 'tiny/templates/pre-install.yaml', kind: 'Job' },
        namespace: 'made',
        failure: failed,
        isDeleted: false,
      }),
      left: [{ kind: 'namespace', name: 'made' }],
    }),
  );
});

test('an upgrade that was taken back names what its resource policy keeps', async () => {
  const template = TINY['templates/kept.yaml'] ?? '';
  const added = { 'templates/more.yaml': template.replace('-kept', '-more') };
  await install(context, { ...options('more', '{}'), values: valuesOf('{}') });
  const failure = await failureOf(
    upgrade(context, { ...options('more', '{broken: true}'), chart: chartOf({ ...SOURCE, ...added }) }),
  );
  expect(failure).toEqual(
    helmFailed('release-taken-back', {
      action: { kind: 'upgrade', name: 'more' },
      failure: refusedObject('more-broken'),
      revision: { made: 3, like: 1 },
      left: [kept('more-more')],
    }),
  );
  expect(await configMaps('more')).toContain('more-more');
});

test('if removing an installation fails as well, the error has both reasons and what to do', async () => {
  const failure = await failureOf(install(context, options('half', '{broken: true, stuck: true}')));
  expect(failure).toEqual(
    helmFailed('release-not-taken-back', {
      action: { kind: 'installation', name: 'half' },
      failure: refusedObject('half-broken'),
      second: stuckHook('pre-delete', 'half-stuck'),
      remedy: { kind: 'uninstall', release: { name: 'half', namespace: 'default', chart: 'tiny' } },
    }),
  );
  expect(await statuses('half')).toEqual(['1 failed']);
});

test('an upgrade that fails goes back to the revision before', async () => {
  await install(context, options('back', '{message: one}'));
  const failure = await failureOf(upgrade(context, options('back', '{message: two, broken: true}')));
  expect(failure).toEqual(
    helmFailed('release-taken-back', {
      action: { kind: 'upgrade', name: 'back' },
      failure: refusedObject('back-broken'),
      revision: { made: 3, like: 1 },
      left: [],
    }),
  );
  expect(await statuses('back')).toEqual(['1 superseded', '2 failed', '3 deployed']);
});

test('if rolling back fails as well, the error has both reasons and what to do, and the history one line for each', async () => {
  await install(context, options('stay', '{stuck: true}'));
  const failure = await failureOf(upgrade(context, options('stay', '{broken: true}')));
  expect(failure).toEqual(
    helmFailed('release-not-taken-back', {
      action: { kind: 'upgrade', name: 'stay' },
      failure: refusedObject('stay-broken'),
      second: stuckHook('pre-rollback', 'stay-stuck'),
      remedy: {
        kind: 'rollback',
        release: { name: 'stay', namespace: 'default', chart: 'tiny' },
        revision: 1,
      },
    }),
  );
  const revisions = await history(context, 'default', 'stay');
  expect(revisions.map(({ info }) => info.status)).toEqual(['deployed', 'failed', 'failed']);
  for (const { info } of revisions) expect(info.description).not.toContain('\n');
  expect(revisions[2]?.info.description).toMatch(/^the rollback of stay to revision 1 failed: .*; /);
});
