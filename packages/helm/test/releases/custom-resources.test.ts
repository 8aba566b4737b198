import { join } from 'node:path';
import type { ChartActionContext } from '@logtool/helm/src/actions/action.ts';
import { install } from '@logtool/helm/src/actions/install.ts';
import { clusterStorage } from '@logtool/helm/src/release/cluster-storage.ts';
import { CHARTS_IN_PROCESS } from '@logtool/helm/src/render/charts-in-process.ts';
import type { KubeClient, KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HelmCluster, quickClock, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { type ChartSource, chartOf, valuesOf, writeChart } from '../../../../test/support/helm/tiny-chart.ts';
import { HELM_VERSIONS } from '../../../../test/support/oracles/helm.ts';

/* Charts that bring the definitions of their own objects. */
const source = (group: string): ChartSource => ({
  'Chart.yaml': 'apiVersion: v2\nname: widgets\nversion: 0.1.0\n',
  'crds/widget.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.${group}}
spec:
  group: ${group}
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
    - {name: v1beta1, served: false, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`,
  'templates/widget.yaml': `apiVersion: ${group}/v1
kind: Widget
metadata: {name: {{ .Release.Name }}}
spec:
  known: {{ .Capabilities.APIVersions.Has "${group}/v1/Widget" }}
  beta: {{ .Capabilities.APIVersions.Has "${group}/v1beta1" }}
  others: {{ len (lookup "${group}/v1" "Widget" .Release.Namespace "").items }}
`,
});

let cluster: HelmCluster;
let context: ChartActionContext;
beforeAll(async () => {
  cluster = await startHelmCluster();
  const { client } = cluster;
  context = {
    client,
    clock: quickClock,
    charts: CHARTS_IN_PROCESS,
    storage: clusterStorage(client, systemClock),
  };
});
afterAll(() => cluster.close());

type Widget = KubeObject & { readonly spec?: unknown };
const widgets = (group: string): ResourceType => ({
  group,
  version: 'v1',
  plural: 'widgets',
  singular: 'widget',
  kind: 'Widget',
  shortNames: [],
  namespaced: true,
  verbs: ['get'],
});
const WAY = { namespace: 'default', createNamespace: false, atomic: false, wait: true, timeoutMs: 60_000 };
const installIt = (group: string, client: KubeClient, dryRun = false) =>
  install(
    { ...context, client },
    { ...WAY, name: 'w', chart: chartOf(source(group)), values: valuesOf('{}'), dryRun },
  );
const specOf = async (group: string) =>
  (await cluster.client.get<Widget>(widgets(group), { namespace: 'default', name: 'w' })).spec;

test.each(HELM_VERSIONS)('a chart brings the kind of its own object, as with helm %s', async (version) => {
  const group = `v${version.split('.')[0]}.example.com`;
  const theirs = `helm.${group}`;
  const folder = await writeChart(join(cluster.home, theirs), source(theirs));
  await cluster.helm(version, 'install', 'w', folder, '--namespace', 'default', '--wait');
  const expected = await specOf(theirs);
  await cluster.helm(version, 'uninstall', 'w', '--namespace', 'default');

  expect((await installIt(group, cluster.client, true)).manifest).toContain('kind: Widget');
  expect(await installIt(group, cluster.client)).toMatchObject({ info: { status: 'deployed' } });
  expect(await specOf(group)).toEqual(expected);
  await cluster.helm(version, 'uninstall', 'w', '--namespace', 'default');
});

/** A client whose list of kinds is stale: it has those of `group` only at the `after`th new request. */
function lagging(group: string, after: number): KubeClient {
  let asked = 0;
  return Object.assign(Object.create(cluster.client) as KubeClient, {
    discover: async (options: Parameters<KubeClient['discover']>[0]) => {
      const types = await cluster.client.discover(options);
      if (options?.again === true) asked += 1;
      return asked >= after ? types : types.filter((type) => type.group !== group);
    },
  });
}

test('the list of kinds may follow the definition later', async () => {
  const group = 'late.example.com';
  const release = await installIt(group, lagging(group, 3));
  expect(release.info.status).toBe('deployed');
  expect(await specOf(group)).toMatchObject({ known: true, beta: false });
});

test('a kind that never comes is named, and no release was made', async () => {
  const group = 'never.example.com';
  const failing = install(
    { ...context, client: lagging(group, Number.POSITIVE_INFINITY) },
    {
      ...WAY,
      name: 'never',
      chart: chartOf(source(group)),
      values: valuesOf('{}'),
      dryRun: false,
      timeoutMs: 50,
    },
  );
  await expect(failing).rejects.toEqual(
    helmFailed('wait-timeout', { of: 'kinds', timeoutMs: 50, missing: [`Widget of ${group}/v1`] }),
  );
  expect(await context.storage.history('default', 'never', {})).toEqual([]);
});

test('where the kind is served already, no right to its definition is asked for', async () => {
  const group = 'there.example.com';
  const rules = (verbs: readonly string[], apiGroups: readonly string[], resources: readonly string[]) => ({
    namespace: 'default',
    apiGroups,
    resources,
    verbs,
  });
  const other = await startHelmCluster({
    namespace: 'default',
    nodes: [{ name: 'node-a' }],
    namespaces: ['default'],
    users: [
      { name: 'owner', rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
      { name: 'dev', rules: [rules(['*'], [''], ['secrets']), rules(['*'], [group], ['widgets'])] },
    ],
    workloads: [],
  });
  try {
    const as = async (user: string, name: string) => {
      const client = await other.connect(user);
      const storage = clusterStorage(client, systemClock);
      return install(
        { charts: CHARTS_IN_PROCESS, client, storage, clock: quickClock },
        { ...WAY, name, chart: chartOf(source(group)), values: valuesOf('{}'), dryRun: false },
      );
    };
    await expect(as('dev', 'first')).rejects.toEqual(
      helmFailed('rights-missing', {
        user: 'dev',
        missing: ['create', 'get', 'patch'].map((verb) => ({
          verb,
          group: 'apiextensions.k8s.io',
          resource: 'customresourcedefinitions',
          name: `widgets.${group}`,
          lacking: [],
        })),
      }),
    );
    await as('owner', 'second');
    expect((await as('dev', 'third')).info.status).toBe('deployed');
  } finally {
    await other.close();
  }
});
