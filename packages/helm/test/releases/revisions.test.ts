import { list } from '@logtool/helm/src/actions/list.ts';
import type { ReleaseStatus } from '@logtool/helm/src/release/release.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubeFailed } from '../../../../test/support/coded.ts';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { chartOf, TINY, valuesOf } from '../../../../test/support/helm/tiny-chart.ts';

/* The records of a release over many revisions, and what logtool reports of them. */
let cluster: HelmCluster;
let on: ReturnType<typeof actionsOn>;
beforeAll(async () => {
  cluster = await startHelmCluster();
  on = actionsOn(cluster.client);
});
afterAll(() => cluster.close());

const SMALL = {
  ...Object.fromEntries(Object.entries(TINY).filter(([, text]) => !text.includes('kind: Deployment'))),
  'templates/broken.yaml':
    '{{- if .Values.broken }}\napiVersion: v1\nkind: Service\nmetadata: {name: {{ .Release.Name }}-broken}\nsurprise: true\n{{- end }}\n',
};
const chart = chartOf(SMALL);
const quick = { wait: false, preflight: false };
const broken = { ...quick, values: valuesOf('broken: true') };
const object = (name: string) => cluster.sim.store.get('configmaps', 'default', name);
const history = (name: string) => on.context.storage.history('default', name);
const statuses = async (name: string) =>
  (await history(name)).map(({ version, info }) => `${version} ${info.status}`);

/** Writes the status of a revision, as a program that was cut off leaves it. */
async function leave(
  name: string,
  version: number,
  status: ReleaseStatus,
  description?: string,
): Promise<void> {
  const release = (await history(name)).find((one) => one.version === version);
  if (release === undefined) throw new Error(`there is no ${name} ${version}`);
  const info = { ...release.info, status, description: description ?? release.info.description };
  await on.context.storage.update({ ...release, info });
}

test('revisions are in the order of their numbers, also after the ninth, and the newest is listed', async () => {
  await on.install('many', chart, quick);
  for (let revision = 2; revision <= 11; revision++)
    await on.upgrade('many', chart, { ...quick, historyMax: 0 });
  expect((await history('many')).map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  const { releases } = await list(on.context, 'default');
  expect(releases.find(({ name }) => name === 'many')?.version).toBe(11);
  expect((await on.upgrade('many', chart, quick)).after.version).toBe(12);
  expect(await history('many')).toHaveLength(10);
});

test('the one that is deployed is kept, however many failed since', async () => {
  await on.install('good', chart, quick);
  for (let tries = 0; tries < 4; tries++)
    await expect(on.upgrade('good', chart, { ...broken, historyMax: 2 })).rejects.toMatchObject({
      code: 'object-refused',
    });
  expect(await statuses('good')).toEqual(['1 deployed', '5 failed']);
  await on.rollback('good', { ...quick, revision: 1, historyMax: 2 });
  expect(await statuses('good')).toEqual(['1 superseded', '6 deployed']);
});

test('the one that a rollback goes to is kept, and without a number that is the one before the last', async () => {
  await on.install('back', chart, quick);
  for (const message of ['two', 'three'])
    await on.upgrade('back', chart, { ...quick, values: valuesOf(`message: ${message}`) });
  await on.rollback('back', { ...quick, revision: 1, historyMax: 2 });
  expect(await statuses('back')).toEqual(['1 superseded', '3 superseded', '4 deployed']);
  await on.rollback('back', quick);
  expect(object('back-config')?.data).toMatchObject({ message: 'three' });
});

test('when the release began, and labels that somebody gave it, go along', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const clock = { ...on.context.clock, now: () => now };
  const later = actionsOn(cluster.client, { clock });
  await later.install('since', chart, quick);
  cluster.sim.store.update('secrets', 'default', 'sh.helm.release.v1.since.v1', ({ metadata }) => {
    metadata.labels = { ...metadata.labels, team: 'shop' };
    return undefined;
  });
  now += 86_400_000;
  await later.upgrade('since', chart, quick);
  now += 86_400_000;
  await later.rollback('since', quick);
  for (const { info, labels } of await history('since')) {
    expect(info.firstDeployed).toBe('2026-01-01T00:00:00.000Z');
    expect(labels).toEqual({ team: 'shop' });
  }
  expect((await history('since')).map(({ info }) => info.lastDeployed?.slice(0, 10))).toEqual([
    '2026-01-01',
    '2026-01-02',
    '2026-01-03',
  ]);
});

test('a Secret that only looks like a record is none', async () => {
  await on.install('alike', chart, quick);
  cluster.sim.store.create('secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'default', name: 'other', labels: { name: 'alike', version: '7' } },
  });
  expect((await on.upgrade('alike', chart, quick)).after.version).toBe(2);
});

test('an upgrade over a failed one leaves one revision deployed, and nothing of the one before', async () => {
  await on.install('over', chart, { ...quick, values: valuesOf('extra: true') });
  await expect(on.upgrade('over', chart, broken)).rejects.toThrow();
  await on.upgrade('over', chart, { ...quick, resetValues: true });
  expect(await statuses('over')).toEqual(['1 superseded', '2 failed', '3 deployed']);
  expect(object('over-extra')).toBeUndefined();
});

test('what a failed upgrade made and somebody else took over stays', async () => {
  await on.install('given', chart, quick);
  const values = valuesOf('{broken: true, extra: true}');
  await expect(on.upgrade('given', chart, { ...quick, values })).rejects.toThrow();
  await expect(on.upgrade('given', chart, broken)).rejects.toThrow();
  cluster.sim.store.update('configmaps', 'default', 'given-extra', ({ metadata }) => {
    metadata.annotations = {
      'meta.helm.sh/release-name': 'other',
      'meta.helm.sh/release-namespace': 'default',
    };
    return undefined;
  });
  await on.uninstall('given', quick);
  expect(object('given-extra')).toBeDefined();
  expect(object('given-config')).toBeUndefined();
});

test('an object is kept that is marked so in the cluster or in its manifest', async () => {
  await on.install('marked', chart, quick);
  cluster.sim.store.update('configmaps', 'default', 'marked-config', ({ metadata }) => {
    metadata.annotations = { ...metadata.annotations, 'helm.sh/resource-policy': 'keep' };
    return undefined;
  });
  // The reverse: what the manifest says holds as well.
  cluster.sim.store.update('configmaps', 'default', 'marked-kept', ({ metadata }) => {
    metadata.annotations = { ...metadata.annotations, 'helm.sh/resource-policy': '' };
    return undefined;
  });
  const { kept } = await on.uninstall('marked', quick);
  expect(kept.map(({ target }) => target.object.name).sort()).toEqual(['marked-config', 'marked-kept']);
  for (const name of ['marked-config', 'marked-kept']) expect(object(name)).toBeDefined();
});

test('what another release has taken over since stays, and is named', async () => {
  const other = { 'meta.helm.sh/release-name': 'heir', 'meta.helm.sh/release-namespace': 'default' };
  const handOver = (name: string) =>
    cluster.sim.store.update('configmaps', 'default', name, ({ metadata }) => {
      metadata.annotations = { ...metadata.annotations, ...other };
      return undefined;
    });
  await on.install('left', chart, quick);
  handOver('left-config');
  for (const dryRun of [true, false]) {
    const { kept, deleted } = await on.uninstall('left', { ...quick, dryRun });
    expect(kept.map(({ target, why }) => [target.object.name, why])).toEqual([
      ['left-config', { by: 'other-release', owner: { name: 'heir', namespace: 'default' } }],
      ['left-kept', { by: 'policy' }],
    ]);
    expect(deleted.map(({ object }) => object.name)).not.toContain('left-config');
  }
  expect(object('left-config')?.metadata.annotations).toMatchObject(other);

  // An object that a revision drops is no longer its release's either.
  await on.install('drops', chart, { ...quick, values: valuesOf('extra: true') });
  handOver('drops-extra');
  await on.upgrade('drops', chart, { ...quick, resetValues: true });
  expect(object('drops-extra')?.metadata.annotations).toMatchObject(other);
  await on.uninstall('drops', quick);
  expect(object('drops-extra')).toBeDefined();
});

const backTo = (name: string, revision: number) =>
  ({ kind: 'rollback', release: { name, namespace: 'default', chart: 'tiny' }, revision }) as const;

test('a pending revision is not upgraded, and the way out is the last revision that went well', async () => {
  await on.install('stuck', chart, quick);
  await expect(on.upgrade('stuck', chart, broken)).rejects.toThrow();
  await expect(on.upgrade('stuck', chart, broken)).rejects.toThrow();
  await leave('stuck', 1, 'superseded');
  await leave('stuck', 3, 'pending-upgrade');
  await expect(on.upgrade('stuck', chart)).rejects.toMatchObject({
    code: 'release-in-progress',
    data: { of: 'state', revision: 3, status: 'pending-upgrade', back: backTo('stuck', 1) },
  });
  await on.rollback('stuck', { ...quick, revision: 1 });
  expect(await statuses('stuck')).toEqual(['1 superseded', '2 failed', '3 superseded', '4 deployed']);
});

test('a rollback that repairs an interrupted rollback goes to the same revision', async () => {
  await on.install('going', chart, quick);
  await on.upgrade('going', chart, quick);
  await on.rollback('going', { ...quick, revision: 1 });
  await leave('going', 2, 'deployed');
  await leave('going', 3, 'pending-rollback', 'Rollback to 1');
  await expect(on.upgrade('going', chart)).rejects.toMatchObject({
    code: 'release-in-progress',
    data: { of: 'state', revision: 3, status: 'pending-rollback', back: backTo('going', 1) },
  });
  await leave('going', 3, 'pending-rollback', 'something else');
  await expect(on.upgrade('going', chart)).rejects.toMatchObject({
    code: 'release-in-progress',
    data: { of: 'state', revision: 3, status: 'pending-rollback', back: backTo('going', 2) },
  });
});

test('a record that somebody deletes meanwhile is not made again', async () => {
  await on.install('erased', chart, quick);
  await expect(on.upgrade('erased', chart, broken)).rejects.toThrow();
  const upgrading = actionsOn(cluster.client, {
    onProgress: () => {
      cluster.sim.store.remove('secrets', 'default', 'sh.helm.release.v1.erased.v3');
    },
  });
  const name = 'sh.helm.release.v1.erased.v3';
  const erasedRecord = { verb: 'update', resource: 'secrets', namespace: 'default', name };
  const gone = kubeFailed('not-found', {
    request: erasedRecord,
    server: cluster.client.cluster.server,
    why: `secrets "${name}" not found (404)`,
  });
  await expect(upgrading.upgrade('erased', chart, quick)).rejects.toEqual(
    helmFailed('release-unrecorded', {
      action: { kind: 'upgrade', name: 'erased' },
      status: 'pending-upgrade',
      failure: gone,
      unrecorded: gone,
      remedy: backTo('erased', 1),
      once: 'fixed',
    }),
  );
  expect((await history('erased')).map(({ version }) => version)).toEqual([1, 2]);
});

const FIRST = { name: 'first', namespace: 'default' };

test('where there is nothing before the first revision, a rollback says so', async () => {
  await on.install('first', chart, quick);
  await expect(on.rollback('first', quick)).rejects.toEqual(
    helmFailed('revision-not-found', { release: FIRST, wanted: 0, known: [1] }),
  );
  await expect(on.rollback('first', { ...quick, revision: 7 })).rejects.toEqual(
    helmFailed('revision-not-found', { release: FIRST, wanted: 7, known: [1] }),
  );
});
