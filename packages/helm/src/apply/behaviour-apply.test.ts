import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_MAPS, DEPLOYMENTS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { applyTarget } from './apply-target.ts';
import { converge } from './converge.ts';
import type { ManagedFields } from './managed-fields.ts';
import { markOwned, readOwned } from './ownership.ts';
import { readManifest } from './read-manifest.ts';
import { resolveTargets, type Target } from './target.ts';
import { exists, isGone, waitFor } from './wait.ts';

let cluster: HelmCluster;
beforeAll(async () => {
  cluster = await startHelmCluster();
});
afterAll(() => cluster.close());

const OWNER = { name: 'tiny', namespace: 'default' };

async function targetsOf(manifest: string): Promise<readonly Target[]> {
  const types = await cluster.client.discover();
  const targets = resolveTargets(readManifest(manifest), types, OWNER.namespace);
  for (const target of targets) markOwned(target, OWNER);
  return targets;
}

async function applyAll(manifest: string): Promise<readonly Target[]> {
  const targets = await targetsOf(manifest);
  const live = await readOwned(cluster.client, targets, OWNER, { skipsForbidden: false });
  await converge(cluster.client, [], targets, live, OWNER, {});
  return targets;
}

const configMap = (name: string, data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata: ${data}\n`;
const read = (name: string) =>
  cluster.client.get<
    KubeObject & {
      readonly data?: Readonly<Record<string, string>>;
      readonly metadata: { readonly managedFields: readonly ManagedFields[] };
    }
  >(CONFIG_MAPS, { namespace: 'default', name });

test('an object is made with the marks of its release, and its fields belong to helm', async () => {
  await applyAll(configMap('made', '{a: "1"}'));
  const { data, metadata } = await read('made');
  expect(data).toEqual({ a: '1' });
  expect(metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'Helm' });
  expect(metadata.annotations).toEqual({
    'meta.helm.sh/release-name': 'tiny',
    'meta.helm.sh/release-namespace': 'default',
  });
  expect(metadata.managedFields.map(({ manager, operation }) => [manager, operation])).toEqual([
    ['helm', 'Apply'],
  ]);
});

test('does not request again what was found absent', async () => {
  const before = cluster.sim.faultsHit;
  cluster.sim.inject({ kind: 'delay', delayMs: 0, match: '^GET .*/configmaps/asked-once$' });
  await applyAll(configMap('asked-once', '{}'));
  cluster.sim.clearFaults();
  expect(cluster.sim.faultsHit - before).toBe(1);
});

test('reports work in the order of the manifest, whatever finishes first, and beside a failure too', async () => {
  const reported = async (manifest: string) => {
    const names: string[] = [];
    const targets = await targetsOf(manifest);
    const live = await readOwned(cluster.client, targets, OWNER, { skipsForbidden: false });
    const ended = await converge(cluster.client, [], targets, live, OWNER, {
      onApplied: ({ object }) => names.push(object.name),
    }).catch(() => 'failed');
    return [...names, ended];
  };
  cluster.sim.inject({ kind: 'delay', delayMs: 300, match: '^PATCH .*/configmaps/slow\\?', times: 1 });
  const three = (first: string) => [first, configMap('next', '{}'), configMap('last', '{}')].join('---\n');
  expect(await reported(three(configMap('slow', '{}')))).toEqual(['slow', 'next', 'last', undefined]);
  expect(await reported(three(configMap('refused', '{a: {b: c}}')))).toEqual(['next', 'last', 'failed']);
  cluster.sim.clearFaults();
});

test('a field that the manifest no longer has goes away', async () => {
  await applyAll(configMap('shrinks', '{a: "1", b: "2"}'));
  await applyAll(configMap('shrinks', '{a: "1"}'));
  expect((await read('shrinks')).data).toEqual({ a: '1' });
});

test.each(['3.17.2', '4.1.4'] as const)(
  'what helm %s wrote is taken over, and shrinks too',
  async (version) => {
    const name = `tiny-${version.replaceAll('.', '-')}`;
    const chart = join(cluster.home, name);
    await mkdir(join(chart, 'templates'), { recursive: true });
    await writeFile(join(chart, 'Chart.yaml'), `apiVersion: v2\nname: ${name}\nversion: 0.1.0\n`);
    await writeFile(join(chart, 'templates/one.yaml'), configMap(name, '{a: "1", b: "2"}'));
    await cluster.helm(version, 'install', 'tiny', chart, '--namespace', 'default');
    try {
      await applyAll(configMap(name, '{a: "3"}'));
      const { data, metadata } = await read(name);
      expect(data).toEqual({ a: '3' });
      expect(metadata.managedFields.map(({ manager, operation }) => [manager, operation])).toEqual([
        ['helm', 'Apply'],
      ]);
    } finally {
      await cluster.helm(version, 'uninstall', 'tiny', '--namespace', 'default');
    }
  },
);

test("names another owner's object with what it lacks, and does not change it", async () => {
  const foreign = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'foreign' }, data: { a: '1' } };
  await cluster.client.create(CONFIG_MAPS, 'default', foreign);
  const absent = (kind: 'label' | 'annotation', key: string, wanted: string) => ({
    kind,
    key,
    wanted,
    actual: undefined,
  });
  await expect(applyAll(configMap('foreign', '{a: "2"}'))).rejects.toEqual(
    helmFailed('not-owned', {
      of: 'chart',
      release: 'tiny',
      objects: [
        {
          object: 'ConfigMap "foreign" in namespace "default"',
          marks: [
            absent('label', 'app.kubernetes.io/managed-by', 'Helm'),
            absent('annotation', 'meta.helm.sh/release-name', 'tiny'),
            absent('annotation', 'meta.helm.sh/release-namespace', 'default'),
          ],
        },
      ],
    }),
  );
  expect((await read('foreign')).data).toEqual({ a: '1' });
});

test('a field that another manager holds is a conflict that names both', async () => {
  await applyAll(configMap('contested', '{a: "1"}'));
  await cluster.client.patch(
    CONFIG_MAPS,
    { namespace: 'default', name: 'contested' },
    'application/apply-patch+yaml',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'contested' }, data: { a: 'theirs' } },
    { query: { fieldManager: 'operator', force: 'true' } },
  );
  await expect(applyAll(configMap('contested', '{a: "2"}'))).rejects.toEqual(
    helmFailed('apply-conflict', {
      object: 'ConfigMap "contested" in namespace "default"',
      fields: [{ field: '.data.a', message: 'conflict with "operator"' }],
    }),
  );
  expect((await read('contested')).data).toEqual({ a: 'theirs' });
});

test('a field that the cluster does not know is refused with its name', async () => {
  const [target] = await targetsOf(`${configMap('odd', '{}')}dada: {}\n`);
  if (target === undefined) throw new Error('no target');
  await expect(applyTarget(cluster.client, target, undefined, {})).rejects.toEqual(
    helmFailed('object-refused', {
      object: 'ConfigMap "odd" in namespace "default"',
      why: 'failed to create typed patch object (default/odd; /v1, Kind=ConfigMap): .dada: field not declared in schema',
    }),
  );
});

test('a kind that the cluster does not serve is named before anything is sent', async () => {
  await expect(
    targetsOf(
      `${configMap('never', '{}')}---\napiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g}\n`,
    ),
  ).rejects.toEqual(
    helmFailed('kind-unknown', { kinds: [{ kind: 'Gadget', apiVersion: 'example.com/v1' }] }),
  );
});

test('deletes objects that only the previous revision had, except those to keep', async () => {
  const keep = 'annotations: {helm.sh/resource-policy: keep}';
  const before = await applyAll(
    `${configMap('stays', '{}')}---\n${configMap('goes', '{}')}---\n${configMap('kept', '{}').replace('name: kept', `name: kept\n  ${keep}`)}`,
  );
  const wanted = await targetsOf(configMap('stays', '{}'));
  const reported: string[] = [];
  await converge(cluster.client, before, wanted, new Map(), OWNER, {
    onDeleted: ({ object }) => reported.push(`deleted ${object.name}`),
    onKept: ({ target }) => reported.push(`kept ${target.object.name}`),
  });
  expect(reported).toEqual(['deleted goes', 'kept kept']);
  await expect(read('goes')).rejects.toMatchObject({ kind: 'not-found' });
  await read('kept');
});

const deployment = (name: string, image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 2
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: "${image}"}]}
`;

test('waiting reports the progress of a Deployment and ends when all pods are available, then when it is gone', async () => {
  const targets = await applyAll(deployment('web-waits', 'tools'));
  const reported: string[] = [];
  const options = { clock: systemClock, timeoutMs: 60_000 };
  await waitFor(cluster.client, targets, exists, {
    ...options,
    onProgress: ({ done, total }) => reported.push(`${done}/${total}`),
  });
  expect(reported.at(-1)).toBe('1/1');
  const { status } = await cluster.client.get<
    KubeObject & { readonly status: { readonly availableReplicas: number } }
  >(DEPLOYMENTS, { namespace: 'default', name: 'web-waits' });
  expect(status.availableReplicas).toBe(2);
  await converge(cluster.client, targets, [], new Map(), OWNER, {});
  await waitFor(cluster.client, targets, isGone, options);
});

test('waiting that takes too long names what is missing', async () => {
  const targets = await targetsOf(deployment('never-made', 'tools'));
  await expect(
    waitFor(cluster.client, targets, exists, { clock: systemClock, timeoutMs: 0 }),
  ).rejects.toEqual(
    helmFailed('wait-timeout', {
      of: 'objects',
      wanted: 'ready',
      timeoutMs: 0,
      pending: [
        { object: 'Deployment "never-made" in namespace "default"', obstacle: { problem: 'absent' } },
      ],
      inspect: { kind: 'list', resource: 'deployments', name: 'never-made', namespace: 'default' },
    }),
  );
});
