import { join } from 'node:path';
import { history } from '@logtool/helm/src/actions/history.ts';
import type { HelmFailures } from '@logtool/helm/src/failures.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubeFailed } from '../../../../test/support/coded.ts';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import {
  type ChartSource,
  chartOf,
  hook,
  TINY,
  writeChart,
} from '../../../../test/support/helm/tiny-chart.ts';
import { HELM_VERSIONS } from '../../../../test/support/oracles/helm.ts';

let cluster: HelmCluster;
let on: ReturnType<typeof actionsOn>;
const reported: string[] = [];
beforeAll(async () => {
  cluster = await startHelmCluster();
  on = actionsOn(cluster.client, {
    onProgress: (progress) => {
      if (progress.kind === 'hook') reported.push(progress.hook.name);
    },
  });
});
afterAll(() => cluster.close());

/** A hook that ends at once: a ConfigMap; or a Pod that the scenario of the cluster lets fail. */
const config = (name: string, events: string, extra = ''): ChartSource => ({
  [`templates/${name}.yaml`]: `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-${name}
  annotations: {helm.sh/hook: "${events}"${extra}}
`,
});
const failing = (name: string, events: string, extra = ''): ChartSource => ({
  [`templates/${name}.yaml`]: `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-${name}
  annotations: {helm.sh/hook: "${events}"${extra}}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: tools, command: ["false"]}]
`,
});
const object = (resource: string, name: string) => cluster.sim.store.get(resource, 'default', name);
const revisions = (name: string) => history(on.context, 'default', name);
const hooksOf = async (name: string) =>
  Object.fromEntries(
    ((await revisions(name)).at(-1)?.hooks ?? []).map((one) => [
      one.name.replace(`${name}-`, ''),
      one.lastRun.phase,
    ]),
  );

/** Makes the Job fail as soon as it exists, with its controller's status. */
function failJob(name: string): () => void {
  return cluster.sim.store.subscribe('jobs.batch', ({ type, object: job }) => {
    if (type !== 'ADDED' || job.metadata.name !== name) return;
    setImmediate(() =>
      cluster.sim.store.update('jobs.batch', 'default', name, (one) => {
        one.status = {
          failed: 1,
          conditions: [
            {
              type: 'Failed',
              status: 'True',
              reason: 'BackoffLimitExceeded',
              message: 'Job has reached the specified backoff limit',
            },
          ],
        };
        return undefined;
      }),
    );
  });
}

test('they run by weight and then by name, before and after the objects; those of other events do not', async () => {
  reported.length = 0;
  const chart = chartOf({
    ...TINY,
    ...config('late', 'pre-install', ', helm.sh/hook-weight: "5"'),
    ...config('b', 'pre-install,post-install'),
    ...config('a', 'pre-install'),
    ...config('early', 'pre-install', ', helm.sh/hook-weight: "-10"'),
    ...hook('test'),
    ...config('up', 'pre-upgrade'),
  });
  const { info } = await on.install('order', chart);
  expect(info.status).toBe('deployed');
  expect(reported).toEqual(['order-early', 'order-a', 'order-b', 'order-late', 'order-b']);
  expect(object('jobs.batch', 'order-test')).toBeUndefined();
  expect(object('configmaps', 'order-up')).toBeUndefined();
});

test.each(HELM_VERSIONS)(
  'hooks of one weight run by name, whatever their kinds, as with helm %s',
  async (version) => {
    // By kind, as objects are applied, the ConfigMap would come first.
    const source = { ...TINY, ...config('z', 'pre-install'), ...hook('post-install,pre-install') };
    const named = `by-name-${version.startsWith('3') ? 'three' : 'four'}`;
    const made: string[] = [];
    const watched = ['configmaps', 'jobs.batch'].map((resource) =>
      cluster.sim.store.subscribe(resource, ({ type, object: one }) => {
        if (type === 'ADDED' && /-(z|post-install)$/.test(one.metadata.name)) made.push(one.metadata.name);
      }),
    );
    const path = await writeChart(join(cluster.home, named), source);
    await cluster.helm(version, 'install', named, path, '--namespace', 'default');
    await on.install(`${named}-here`, chartOf(source));
    for (const end of watched) end();
    const order = (name: string) => made.filter((one) => one.startsWith(`${name}-`));
    const first = (name: string) => [`${name}-post-install`, `${name}-z`];
    expect(order(named).slice(0, 2)).toEqual(first(named));
    expect(order(`${named}-here`).slice(0, 2)).toEqual(first(`${named}-here`));
  },
);

/** A Job that is a hook of `templates/FILE.yaml`, and failed. */
function jobFailed(
  name: string,
  event: string,
  file: string,
  more: Partial<HelmFailures['hook-failed']> = {},
): HelmFailures['hook-failed'] {
  const failure = helmFailed('wait-failed', {
    wanted: 'done',
    pending: {
      object: `Job "${name}" in namespace "default"`,
      obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
    },
    inspect: { kind: 'describe', resource: 'jobs', name, namespace: 'default' },
  });
  const hook = { name, path: `tiny/templates/${file}.yaml`, kind: 'Job' };
  return { event, hook, namespace: 'default', failure, isDeleted: false, ...more };
}

test('each is deleted as its policies say', async () => {
  const policy = (text: string) => `, helm.sh/hook-delete-policy: "${text}"`;
  const source = {
    ...TINY,
    ...config('stays', 'pre-install,pre-upgrade'),
    ...config('goes', 'pre-install', policy('hook-succeeded')),
    ...config('never', 'pre-install', policy('hook-failed')),
    ...config('done', 'pre-upgrade', policy('hook-succeeded')),
    ...failing('bad', 'pre-upgrade', `${policy('hook-failed')}, helm.sh/hook-weight: "1"`),
  };
  await on.install('policies', chartOf(source));
  expect(object('configmaps', 'policies-goes')).toBeUndefined();
  expect(object('configmaps', 'policies-never')).toBeDefined();
  const first = object('configmaps', 'policies-stays')?.metadata.uid;
  const stop = failJob('policies-bad');
  await expect(on.upgrade('policies', chartOf(source))).rejects.toEqual(
    // It is gone: there is nothing to inspect.
    helmFailed('hook-failed', jobFailed('policies-bad', 'pre-upgrade', 'bad', { isDeleted: true })),
  );
  stop();
  expect(object('jobs.batch', 'policies-bad')).toBeUndefined();
  expect(object('configmaps', 'policies-done')).toBeUndefined();
  expect(object('configmaps', 'policies-stays')?.metadata.uid).not.toBe(first);
});

test('reports first why one failed, even if it cannot be removed afterwards', async () => {
  const policy = ', helm.sh/hook-delete-policy: "hook-failed"';
  const stop = failJob('stuck-bad');
  cluster.sim.inject({ kind: 'status', status: 403, match: '^DELETE .*/jobs/' });
  const ended = on.install('stuck', chartOf({ ...TINY, ...failing('bad', 'pre-install', policy) }));
  const request = { verb: 'delete', resource: 'jobs.batch', namespace: 'default', name: 'stuck-bad' };
  const second = kubeFailed('forbidden', {
    request,
    right: { ...request, singular: 'job.batch' },
    why: 'forbidden by an injected fault',
    check: 'kubectl auth can-i delete jobs.batch/stuck-bad -n default',
  });
  await expect(ended).rejects.toEqual(
    helmFailed('hook-failed', jobFailed('stuck-bad', 'pre-install', 'bad', { isDeleted: true, second })),
  );
  cluster.sim.clearFaults();
  stop();
});

test('creates one again once its leaving object has gone', async () => {
  const chart = chartOf({ ...TINY, ...config('slow', 'pre-install,pre-upgrade') });
  await on.install('leaving', chart, { wait: false });
  const first = object('configmaps', 'leaving-slow')?.metadata.uid;
  cluster.sim.store.update('configmaps', 'default', 'leaving-slow', ({ metadata }) => {
    Object.assign(metadata, { finalizers: ['example.org/hold'] });
    return undefined;
  });
  const fetches: string[] = [];
  const { client } = cluster;
  const watched = Object.assign(Object.create(client) as typeof client, {
    get: async (...args: Parameters<typeof client.get>) => {
      const found = await client.get(...args);
      // It goes once it was seen to be leaving, twice.
      if (args[1].name === 'leaving-slow' && fetches.push(found.metadata.uid) === 2)
        cluster.sim.store.remove('configmaps', 'default', 'leaving-slow');
      return found;
    },
  });
  await actionsOn(watched).upgrade('leaving', chart, { wait: false, preflight: false });
  expect(fetches.slice(0, 2)).toEqual([first, first]);
  expect(object('configmaps', 'leaving-slow')?.metadata).toMatchObject({
    uid: expect.not.stringMatching(`${first}`),
  });
  expect(object('configmaps', 'leaving-slow')?.metadata.deletionTimestamp).toBeUndefined();
});

describe('one that fails', () => {
  const source = {
    ...TINY,
    ...config('first', 'pre-install', ', helm.sh/hook-weight: "-5"'),
    ...failing('migrate', 'pre-install'),
    ...config('after', 'pre-install', ', helm.sh/hook-weight: "5"'),
  };

  test('is named with its reason, ends the release as failed, and nothing after it is run', async () => {
    const stop = failJob('sad-migrate');
    await expect(on.install('sad', chartOf(source))).rejects.toEqual(
      helmFailed('hook-failed', jobFailed('sad-migrate', 'pre-install', 'migrate')),
    );
    stop();
    expect(object('configmaps', 'sad-after')).toBeUndefined();
    expect(object('configmaps', 'sad-config')).toBeUndefined();
    const [release] = await revisions('sad');
    expect(release?.info).toMatchObject({
      status: 'failed',
      description: 'the installation of sad failed: described hook-failed',
    });
    expect(await hooksOf('sad')).toEqual({ first: 'Succeeded', migrate: 'Failed', after: '' });
    await on.uninstall('sad');
  });

  test('is taken back with everything where the installation is atomic', async () => {
    const late = { ...TINY, ...failing('late', 'post-install') };
    const stop = failJob('back-late');
    await expect(on.install('back', chartOf(late), { atomic: true })).rejects.toEqual(
      helmFailed('release-taken-back', {
        action: { kind: 'installation', name: 'back' },
        failure: helmFailed('hook-failed', jobFailed('back-late', 'post-install', 'late')),
        left: [
          {
            kind: 'object',
            object: 'ConfigMap "back-kept" in namespace "default"',
            why: { by: 'policy' },
          },
        ],
      }),
    );
    stop();
    await expect(revisions('back')).rejects.toMatchObject({ code: 'release-not-found' });
    expect(object('configmaps', 'back-config')).toBeUndefined();
  });

  test('has an atomic upgrade go back to the last good revision', async () => {
    const good = { ...TINY, ...failing('step', 'post-upgrade') };
    await on.install('again', chartOf(good));
    const stop = failJob('again-step');
    const upgrade = on.upgrade('again', chartOf(good), {
      atomic: true,
      values: new Map([['message', 'new']]),
    });
    await expect(upgrade).rejects.toMatchObject({ code: 'release-taken-back' });
    stop();
    expect((await revisions('again')).map(({ version, info }) => `${version} ${info.status}`)).toEqual([
      '1 superseded',
      '2 failed',
      '3 deployed',
    ]);
    expect(object('configmaps', 'again-config')?.data).toMatchObject({ message: 'hello' });
  });

  test('leaves an atomic upgrade without a good revision where it is, and says so', async () => {
    const bad = { ...TINY, ...failing('step', 'post-install,post-upgrade') };
    const stops = [failJob('never-step')];
    await expect(on.install('never', chartOf(bad))).rejects.toMatchObject({ code: 'hook-failed' });
    await expect(on.upgrade('never', chartOf(bad), { atomic: true })).rejects.toEqual(
      helmFailed('no-good-revision', {
        release: { name: 'never', namespace: 'default', chart: 'tiny' },
        failure: helmFailed('hook-failed', jobFailed('never-step', 'post-upgrade', 'step')),
      }),
    );
    for (const stop of stops) stop();
    expect((await revisions('never')).map(({ version, info }) => `${version} ${info.status}`)).toEqual([
      '1 failed',
      '2 failed',
    ]);
  });
});

describe('definitions in crds/', () => {
  const crd = (group: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`;
  const thing = (group: string, name: string, annotations = '') =>
    `apiVersion: ${group}/v1\nkind: Thing\nmetadata: {name: {{ .Release.Name }}-${name}, annotations: {a: b${annotations}}}\n`;

  test('come first, and the objects and hooks of their kinds after them', async () => {
    const group = 'fresh.example.org';
    const chart = chartOf({
      ...TINY,
      'crds/thing.yaml': crd(group),
      'templates/thing.yaml': thing(group, 'object'),
      'templates/hook.yaml': thing(group, 'hook', ', helm.sh/hook: pre-install'),
    });
    const dry = await on.install('fresh', chart, { dryRun: true });
    expect(dry.manifest).toContain('fresh-object');
    expect(object(`customresourcedefinitions.apiextensions.k8s.io`, '')).toBeUndefined();
    await on.install('fresh', chart);
    expect(object(`things.${group}`, 'fresh-object')).toBeDefined();
    expect(object(`things.${group}`, 'fresh-hook')).toBeDefined();
    await on.uninstall('fresh');
    expect(
      cluster.sim.store.get('customresourcedefinitions.apiextensions.k8s.io', undefined, `things.${group}`),
    ).toBeDefined();
  });

  test('that are hooks stay, whatever their policy says: all their objects would go with them', async () => {
    const group = 'hook.example.org';
    const text = crd(group).replace(
      'metadata: {',
      'metadata: {annotations: {helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"}, ',
    );
    const crds = () =>
      cluster.sim.store.get('customresourcedefinitions.apiextensions.k8s.io', undefined, `things.${group}`);
    const chart = chartOf({ ...TINY, 'templates/crd.yaml': text });
    await on.install('hooked', chart, { wait: false });
    const uid = crds()?.metadata.uid;
    expect(uid).toBeDefined();
    await on.upgrade('hooked', chart, { wait: false });
    expect(crds()?.metadata.uid).toBe(uid);
  });

  test('are not touched by an upgrade', async () => {
    const group = 'later.example.org';
    await on.install('later', chartOf(TINY));
    await on.upgrade('later', chartOf({ ...TINY, 'crds/thing.yaml': crd(group) }));
    expect(
      cluster.sim.store.get('customresourcedefinitions.apiextensions.k8s.io', undefined, `things.${group}`),
    ).toBeUndefined();
  });
});

test('removes what failed revisions made', async () => {
  const step = failing('step', 'post-upgrade');
  const extra = {
    'templates/more.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-more}\n',
  };
  for (const end of ['upgrade', 'uninstall', 'rollback'] as const) {
    const name = `orphan-${end}`;
    await on.install(name, chartOf(TINY));
    const stop = failJob(`${name}-step`);
    await expect(on.upgrade(name, chartOf({ ...TINY, ...step, ...extra }))).rejects.toThrow();
    await expect(on.upgrade(name, chartOf({ ...TINY, ...step }))).rejects.toThrow();
    stop();
    if (end === 'upgrade') await on.upgrade(name, chartOf(TINY));
    else if (end === 'rollback') await on.rollback(name, { revision: 1 });
    else await on.uninstall(name);
    expect(object('configmaps', `${name}-more`), end).toBeUndefined();
  }
});
