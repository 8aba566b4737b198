import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadChart } from '@logtool/helm/src/chart/load-chart.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import type { StoredObject } from '@logtool/simcluster/src/store/store.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { hook, TINY, valuesOf, writeChart } from '../../../../test/support/helm/tiny-chart.ts';
import { HELM_VERSIONS, type HelmVersion } from '../../../../test/support/oracles/helm.ts';

const SOURCE = {
  ...TINY,
  ...hook('pre-install,pre-upgrade'),
  ...hook('post-install', ', helm.sh/hook-weight: "3", helm.sh/hook-delete-policy: hook-succeeded'),
  ...hook('test'),
  'Chart.yaml': `apiVersion: v2
name: tiny
version: 0.1.0+build.7
appVersion: "1.4.2"
description: a tiny chart
type: application
home: https://example.org
keywords: [one, two]
maintainers: [{name: Ann, email: ann@example.org}]
annotations: {example.org/a: b}
kubeVersion: ">=1.20.0-0"
dependencies:
  - {name: inner, version: 0.2.0, repository: "", condition: inner.enabled, alias: second}
  - {name: inner, version: 0.2.0, repository: ""}
`,
  'values.schema.json': '{"type": "object", "properties": {"replicas": {"type": "integer"}}}\n',
  'README.md': '# tiny <b>&amp;</b> ünï\n',
  LICENSE: 'none\n',
  '.helmignore': 'notes.md\n',
  'notes.md': 'not part of it\n',
  'files/data.txt': 'a\r\nb\n',
  'crds/thing.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.same.example.org}
spec:
  group: same.example.org
  scope: Namespaced
  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`,
  'templates/thing.yaml':
    'apiVersion: same.example.org/v1\nkind: Thing\nmetadata: {name: {{ .Release.Name }}-thing}\nspec: {size: 3}\n',
  'templates/service.yaml':
    'apiVersion: v1\nkind: Service\nmetadata: {name: {{ .Release.Name }}-web}\nspec: {ports: [{port: 80}], selector: {app: x}}\n',
  'templates/kept.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-kept\n  annotations: {helm.sh/resource-policy: keep}\ndata: {a: b}\n',
  'templates/extra.yaml':
    '{{- if .Values.extra }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-extra}\ndata: {a: b}\n{{- end }}\n',
  'templates/_names.tpl': '{{- define "n" }}x{{ end }}\n',
  'charts/inner/Chart.yaml': 'apiVersion: v2\nname: inner\nversion: 0.2.0\n',
  'charts/inner/values.yaml': 'enabled: true\nlist: [1, 2.5, "x", null]\n',
  'charts/inner/templates/one.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-{{ .Chart.Name }}}\ndata: {list: {{ .Values.list | toJson | quote }}}\n',
};

let cluster: HelmCluster;
let folder = '';
beforeAll(async () => {
  cluster = await startHelmCluster();
  folder = await writeChart(join(cluster.home, 'tiny'), SOURCE);
});
afterAll(() => cluster.close());

/** Everything that a release left in the cluster, without what no two runs share. */
function left(name: string): unknown {
  const found: unknown[] = [];
  for (const resource of [
    'secrets',
    'configmaps',
    'services',
    'deployments.apps',
    'jobs.batch',
    'things.same.example.org',
  ])
    for (const object of cluster.sim.store.list(resource, 'default'))
      if (object.metadata.name?.includes(name)) found.push(normal(object));
  return found;
}

function normal(object: StoredObject): unknown {
  const plain = JSON.parse(JSON.stringify(object)) as StoredObject & { data?: { release?: string } };
  const text = plain.data?.release;
  const release =
    text === undefined || object.kind !== 'Secret'
      ? undefined
      : (JSON.parse(
          gunzipSync(Buffer.from(Buffer.from(text, 'base64').toString('latin1'), 'base64')).toString('utf8'),
        ) as unknown);
  return JSON.parse(
    JSON.stringify({ ...plain, ...(release === undefined ? {} : { data: { release } }) }, (key, inner) => {
      if (
        [
          'uid',
          'resourceVersion',
          'createdAt',
          'modifiedAt',
          'clusterIP',
          'clusterIPs',
          'terminatingReplicas',
        ].includes(key)
      )
        return 'N';
      if (key.endsWith('controller-uid')) return 'N';
      if (Array.isArray(inner) && (key === 'managedFields' || key === 'conditions'))
        return inner
          .map((one: unknown) =>
            JSON.stringify(one)
              .replaceAll(TIME, 'TIME')
              .replace(/"manager":"(Helm|logtool)"/, '"manager":"PROGRAM"'),
          )
          .sort();
      return typeof inner === 'string'
        ? inner.replace(TIME, 'TIME').replace(/-[0-9a-f]{9,10}"/, '-HASH"')
        : inner;
    }),
  );
}
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g;

/**
 * What helm 3 does otherwise than helm 4, as whose our releases are written: it applies on the client's side, keeps no
 * time of a chart's files, and writes a time that never was as an empty text.
 */
function asBoth(state: unknown, version: HelmVersion): unknown {
  if (version === '4.1.4') return state;
  return JSON.parse(
    JSON.stringify(state, (key, inner) =>
      ONLY_IN_4.has(key) || (TIMES.has(key) && inner === '') ? undefined : inner,
    ),
  );
}
const ONLY_IN_4: ReadonlySet<string> = new Set(['apply_method', 'modtime', 'schemamodtime', 'managedFields']);
const TIMES: ReadonlySet<string> = new Set(['started_at', 'completed_at', 'deleted']);

/** What no uninstall takes away. */
function removeKept(): void {
  for (const resource of ['configmaps', 'jobs.batch'])
    for (const { metadata } of cluster.sim.store.list(resource, 'default'))
      if (metadata.name?.includes('twin')) cluster.sim.store.remove(resource, 'default', metadata.name);
}

test.each(HELM_VERSIONS)(
  'releases, their labels and the objects of the cluster are those that helm %s leaves',
  async (version) => {
    const { install, upgrade, uninstall, rollback } = actionsOn(cluster.client, { clock: systemClock });
    const helm = (...args: string[]) => cluster.helm(version, ...args, '--namespace', 'default');
    const values = join(cluster.home, 'values.yaml');
    const text =
      'message: "a <b> & c"\nreplicas: 2\nlist: [1, 1.5, 1e30, 10000000, true, null]\nnested: {empty: {}, none: null}\n';
    await writeChart(cluster.home, { 'values.yaml': text });
    const states: Record<string, unknown[]> = { helm: [], ours: [] };

    await helm('install', 'twin', folder, '-f', values, '--wait');
    states.helm?.push(left('twin'));
    await helm('upgrade', 'twin', folder, '--set', 'extra=true', '--wait');
    states.helm?.push(left('twin'));
    await helm('rollback', 'twin', '1', '--wait');
    states.helm?.push(left('twin'));
    await helm('uninstall', 'twin', '--keep-history', '--wait');
    states.helm?.push(left('twin'));
    await helm('uninstall', 'twin', '--wait');
    states.helm?.push(left('twin'));
    removeKept();

    const chart = await loadChart(folder);
    await install('twin', chart, { values: valuesOf(text) });
    states.ours?.push(left('twin'));
    await upgrade('twin', chart, { values: valuesOf('extra: true') });
    states.ours?.push(left('twin'));
    await rollback('twin', { revision: 1 });
    states.ours?.push(left('twin'));
    await uninstall('twin', { keepHistory: true });
    states.ours?.push(left('twin'));
    await uninstall('twin');
    states.ours?.push(left('twin'));
    removeKept();

    for (const [at, state] of (states.helm ?? []).entries())
      expect(asBoth(states.ours?.[at], version)).toEqual(asBoth(state, version));
  },
);
