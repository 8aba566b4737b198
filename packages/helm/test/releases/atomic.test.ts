import type { ChartActionContext } from '@logtool/helm/src/actions/action.ts';
import { history } from '@logtool/helm/src/actions/history.ts';
import { install } from '@logtool/helm/src/actions/install.ts';
import { upgrade } from '@logtool/helm/src/actions/upgrade.ts';
import { clusterStorage } from '@logtool/helm/src/release/cluster-storage.ts';
import { CHARTS_IN_PROCESS } from '@logtool/helm/src/render/charts-in-process.ts';
import { CONFIG_MAPS } from '@logtool/kube/src/builtin-resources.ts';
import { LogtoolError } from '@logtool/logtool/src/cli/messages/logtool-error.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HelmCluster, quickClock, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { shown } from '../../../../test/support/helm/shown.ts';
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
const failureOf = async (action: Promise<unknown>) => {
  const failure: unknown = await action.catch(shown);
  if (!(failure instanceof LogtoolError)) throw new Error(`no failure in words: ${failure}`);
  return failure;
};
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
  expect(failure).toMatchObject({
    code: 'release-taken-back',
    what: 'the installation of fresh failed; logtool removed its other objects (--atomic)',
  });
  expect(failure.why).toContain('ConfigMap "fresh-broken"');
  expect(failure.why).toContain(
    '\nleft in the cluster: ConfigMap "fresh-kept" in namespace "default", as its resource policy says',
  );
  // Looking at the values is still possible, and what helps.
  expect(failure.next).toContain('--dry-run');
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
  expect(failure.code).toBe('release-taken-back');
  expect(failure.why).toContain('the pre-install hook early-pre-install');
  expect(failure.why).toContain('\nleft in the cluster: the namespace made');
  expect(failure.why).not.toContain('early-kept');
  expect(failure.next).toBe(
    'fix what failed and install again; without --atomic the release is kept, so that you can inspect it',
  );
});

test('an upgrade that was taken back names what its resource policy keeps', async () => {
  const kept = TINY['templates/kept.yaml'] ?? '';
  const added = { 'templates/more.yaml': kept.replace('-kept', '-more') };
  await install(context, { ...options('more', '{}'), values: valuesOf('{}') });
  const failure = await failureOf(
    upgrade(context, { ...options('more', '{broken: true}'), chart: chartOf({ ...SOURCE, ...added }) }),
  );
  expect(failure.why).toMatch(
    /\nleft in the cluster: ConfigMap "more-more" in namespace "default", as its resource policy says$/,
  );
  expect(await configMaps('more')).toContain('more-more');
});

test('if removing an installation fails as well, the error has both reasons and what to do', async () => {
  const failure = await failureOf(install(context, options('half', '{broken: true, stuck: true}')));
  expect(failure).toMatchObject({
    code: 'release-not-taken-back',
    what: 'the installation of half failed, and undoing it (--atomic) failed too',
    next: 'once the cause is fixed: logtool cluster uninstall --name half -n default --any-chart',
  });
  expect(failure.why).toMatch(/ConfigMap "half-broken"[\s\S]*\nthen: the pre-delete hook half-stuck/);
  expect(await statuses('half')).toEqual(['1 failed']);
});

test('an upgrade that fails goes back to the revision before', async () => {
  await install(context, options('back', '{message: one}'));
  const failure = await failureOf(upgrade(context, options('back', '{message: two, broken: true}')));
  expect(failure).toMatchObject({
    code: 'release-taken-back',
    what: 'the upgrade of back failed; revision 3 is what revision 1 was (--atomic)',
  });
  expect(await statuses('back')).toEqual(['1 superseded', '2 failed', '3 deployed']);
});

test('if rolling back fails as well, the error has both reasons and what to do, and the history one line for each', async () => {
  await install(context, options('stay', '{stuck: true}'));
  const failure = await failureOf(upgrade(context, options('stay', '{broken: true}')));
  expect(failure).toMatchObject({
    code: 'release-not-taken-back',
    what: 'the upgrade of stay failed, and undoing it (--atomic) failed too',
    next: 'once the cause is fixed: logtool cluster rollback --name stay -n default --any-chart --revision 1',
  });
  expect(failure.why).toMatch(/ConfigMap "stay-broken"[\s\S]*\nthen: the pre-rollback hook stay-stuck/);
  const revisions = await history(context, 'default', 'stay');
  expect(revisions.map(({ info }) => info.status)).toEqual(['deployed', 'failed', 'failed']);
  for (const { info } of revisions) expect(info.description).not.toContain('\n');
  expect(revisions[2]?.info.description).toMatch(/^the rollback of stay to revision 1 failed: .*; /);
});
