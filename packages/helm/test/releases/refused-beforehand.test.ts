import { createHash } from 'node:crypto';
import { encodeRelease } from '@logtool/helm/src/release/encode.ts';
import { NAMESPACES } from '@logtool/kube/src/builtin-resources.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubeFailed } from '../../../../test/support/coded.ts';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { chartOf, TINY, valuesOf } from '../../../../test/support/helm/tiny-chart.ts';

/* What cannot go well is refused while nothing is changed yet. */
let cluster: HelmCluster;
let on: ReturnType<typeof actionsOn>;
beforeAll(async () => {
  cluster = await startHelmCluster({
    nodes: [{ name: 'node-1' }],
    namespaces: ['default', 'team'],
    users: [
      { name: 'owner', rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
      {
        name: 'founder',
        rules: [
          { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'create'] },
          { apiGroups: [''], resources: ['secrets'], verbs: ['list'] },
          { apiGroups: [''], resources: ['configmaps'], verbs: ['*'] },
        ],
      },
    ],
  });
  on = actionsOn(cluster.client);
});
afterAll(() => cluster.close());

const SMALL = Object.fromEntries(
  Object.entries(TINY).filter(([, text]) => !text.includes('kind: Deployment')),
);
const quick = { wait: false, preflight: false };

/** How it ends, and what was changed by it. */
async function refusal(run: () => Promise<unknown>) {
  const changes: string[] = [];
  const stop = cluster.sim.store.subscribeAll((resource, { type, object }) => {
    if (/^(secrets|configmaps|namespaces)$/.test(resource)) changes.push(`${type} ${object.metadata.name}`);
  });
  const error: unknown = await run().then(
    () => 'it went through',
    (failure: unknown) => failure,
  );
  stop();
  return { error, changes };
}

/** A chart whose record takes about this many bytes. */
async function chartTaking(bytes: number) {
  let length = Math.round(bytes / 1.36);
  for (let tries = 0; ; tries++) {
    const noise = Array.from({ length: Math.ceil(length / 64) }, (_, at) =>
      createHash('sha512').update(String(at)).digest(),
    );
    const chart = chartOf(SMALL);
    const data = Buffer.concat(noise).subarray(0, length);
    const large = { ...chart, files: [...chart.files, { name: 'noise.bin', data }] };
    const record = encodeRelease(await on.install('measured', large, { dryRun: true })).length;
    if (Math.abs(record - bytes) < 500) return large;
    if (tries > 10) throw new Error(`${record} instead of ${bytes}`);
    length += Math.round((bytes - record) / 1.36);
  }
}

const MEBIBYTE = 1024 * 1024;
/** An object holds 4 KiB less of a record, for its own metadata. */
const RECORD_LIMIT = MEBIBYTE - 4096;
const tooLarge = (release: string) =>
  helmFailed('release-too-large', {
    release,
    bytes: expect.toSatisfy((bytes: number) => bytes > RECORD_LIMIT && bytes < MEBIBYTE + 4096),
    limitBytes: RECORD_LIMIT,
    largest: {
      name: 'noise.bin',
      bytes: expect.toSatisfy((bytes: number) => bytes > MEBIBYTE / 2 && bytes < MEBIBYTE),
    },
  });

test('a release that fits into no object of the cluster, or that words of its end would not fit into', async () => {
  await on.install('grows', chartOf(SMALL), quick);
  for (const bytes of [MEBIBYTE + 2000, MEBIBYTE - 2000]) {
    const chart = await chartTaking(bytes);
    const runs = [
      ['large', () => on.install('large', chart)],
      ['grows', () => on.upgrade('grows', chart)],
    ] as const;
    for (const [name, run] of runs) {
      const { error, changes } = await refusal(run);
      expect(error).toEqual(tooLarge(name));
      expect(changes).toEqual([]);
    }
  }
  const fits = await chartTaking(MEBIBYTE - 8000);
  expect((await on.install('fits', fits, quick)).info.status).toBe('deployed');
});

test('a rollback to a revision that another program filled to the last byte', async () => {
  const chart = await chartTaking(MEBIBYTE - 2000);
  const full = await on.install('full', chart, { dryRun: true });
  const { storage } = on.context;
  await storage.create({ ...full, info: { ...full.info, status: 'superseded' } });
  await storage.create({
    ...full,
    version: 2,
    chart: chartOf(SMALL),
    info: { ...full.info, status: 'deployed' },
  });
  const { error, changes } = await refusal(() => on.rollback('full'));
  expect(error).toEqual(tooLarge('full'));
  expect(changes).toEqual([]);
});

test('a missing namespace that the user does not ask to create', async () => {
  const { error, changes } = await refusal(() =>
    actionsOn(cluster.client, { namespace: 'absent' }).install('web', chartOf(SMALL), {
      createNamespace: false,
    }),
  );
  expect(error).toEqual(helmFailed('namespace-not-found', { namespace: 'absent' }));
  expect(changes).toEqual([]);
});

test('a namespace that is being deleted, also where the chart would bring definitions first', async () => {
  const { client } = cluster;
  await client.create(NAMESPACES, undefined, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'leaving', finalizers: ['example.org/hold'] },
  });
  await client.delete(NAMESPACES, { name: 'leaving' });
  const { error, changes } = await refusal(() =>
    actionsOn(client, { namespace: 'leaving' }).install('late', chartOf(SMALL)),
  );
  expect(error).toEqual(kubeFailed('namespace-leaving', { namespace: 'leaving' }));
  expect(changes.filter((change) => !change.startsWith('DELETED'))).toEqual([]);
});

test('a namespace that may be made, for a release that may not', async () => {
  const founder = actionsOn(await cluster.connect('founder'), { namespace: 'founded' });
  const { error, changes } = await refusal(() => founder.install('web', chartOf(SMALL)));
  const onSecrets = (verb: string) => ({
    verb,
    group: '',
    resource: 'secrets',
    namespace: 'founded',
    lacking: [],
  });
  expect(error).toEqual(
    helmFailed('rights-missing', {
      user: 'founder',
      missing: [onSecrets('create'), onSecrets('update')],
    }),
  );
  expect(changes).toEqual([]);
});

test('a namespace that somebody else makes at the same moment is as good as an own one', async () => {
  const { client } = cluster;
  const slow = Object.assign(Object.create(client) as typeof client, {
    create: async (...args: Parameters<typeof client.create>) => {
      if (args[0].plural === 'namespaces') await client.create(...args);
      return client.create(...args);
    },
  });
  const release = await actionsOn(slow, { namespace: 'raced' }).install('web', chartOf(SMALL), quick);
  expect(release.info.status).toBe('deployed');
  expect(await client.get(NAMESPACES, { name: 'raced' })).toBeDefined();
});

test.each([
  [
    'of another release',
    { 'meta.helm.sh/release-name': 'other', 'meta.helm.sh/release-namespace': 'default' },
    { key: 'meta.helm.sh/release-name', wanted: 'mine', actual: 'other' },
  ],
  [
    'of another namespace',
    { 'meta.helm.sh/release-name': 'mine', 'meta.helm.sh/release-namespace': 'team' },
    { key: 'meta.helm.sh/release-namespace', wanted: 'default', actual: 'team' },
  ],
])('an object in the way that is marked as one %s', async (_whose, annotations, mark) => {
  const foreign = (name: string) =>
    helmFailed('not-owned', {
      of: 'chart',
      release: 'mine',
      objects: [
        {
          object: `ConfigMap "${name}" in namespace "default"`,
          marks: [{ kind: 'annotation', ...mark }],
        },
      ],
    });
  const labels = { 'app.kubernetes.io/managed-by': 'Helm' };
  const taken = (name: string) =>
    cluster.sim.store.create('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name, labels, annotations },
    });
  taken('mine-config');
  const { error, changes } = await refusal(() => on.install('mine', chartOf(SMALL)));
  expect(error).toEqual(foreign('mine-config'));
  expect(changes).toEqual([]);
  cluster.sim.store.remove('configmaps', 'default', 'mine-config');

  await on.install('mine', chartOf(SMALL), quick);
  taken('mine-extra');
  const upgrade = await refusal(() =>
    on.upgrade('mine', chartOf(SMALL), { values: valuesOf('extra: true') }),
  );
  expect(upgrade.error).toEqual(foreign('mine-extra'));
  expect(upgrade.changes).toEqual([]);
  await on.uninstall('mine', quick);
  for (const name of ['mine-extra', 'mine-kept']) cluster.sim.store.remove('configmaps', 'default', name);
});

test('an existing release, however it ended', async () => {
  await on.install('there', chartOf(SMALL), quick);
  const { storage } = on.context;
  const [release] = await storage.history('default', 'there');
  if (release === undefined) throw new Error('no release');
  for (const [status, code] of [
    ['deployed', 'release-exists'],
    ['failed', 'release-exists'],
    ['uninstalled', 'release-exists'],
    ['uninstalling', 'release-in-progress'],
    ['pending-install', 'release-in-progress'],
  ] as const) {
    await storage.update({ ...release, info: { ...release.info, status } });
    const { error, changes } = await refusal(() => on.install('there', chartOf(SMALL)));
    const isBusy = code === 'release-in-progress';
    const there = { name: 'there', namespace: 'default', chart: 'tiny' };
    expect(error).toEqual(
      helmFailed(code, {
        of: 'state',
        verb: 'install',
        release: there,
        chart: { name: 'tiny', version: '0.1.0' },
        revision: 1,
        status,
        description: 'Install complete',
        ageMs: isBusy ? expect.any(Number) : undefined,
      }),
    );
    expect(changes).toEqual([]);
  }
});
