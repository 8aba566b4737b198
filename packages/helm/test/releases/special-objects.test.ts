import { join } from 'node:path';
import { SECRETS } from '@logtool/kube/src/builtin-resources.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { chartOf, valuesOf, writeChart } from '../../../../test/support/helm/tiny-chart.ts';

/* Objects that are not made and changed like most: what a release makes of them. */
let cluster: HelmCluster;
let on: ReturnType<typeof actionsOn>;
beforeAll(async () => {
  cluster = await startHelmCluster();
  on = actionsOn(cluster.client);
});
afterAll(() => cluster.close());

const sourceOf = (manifest: string) => ({
  'Chart.yaml': 'apiVersion: v2\nname: special\nversion: 0.1.0\n',
  'values.yaml': 'v: one\n',
  'templates/all.yaml': manifest,
});
const configMap = (name: string, metadata = '', data = 'a: "1"') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${metadata}}\ndata: {${data}}\n`;
const stored = (name: string, namespace = 'default') => cluster.sim.store.get('configmaps', namespace, name);

describe('reports an immutable field without its value', () => {
  test.each([
    [
      'Job',
      'jobs',
      { field: 'spec.template', message: 'field is immutable' },
      `apiVersion: batch/v1\nkind: Job\nmetadata: {name: fixed}\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n      containers: [{name: main, image: "tools:{{ .Values.v }}"}]\n`,
    ],
    [
      'Service',
      'services',
      { field: 'spec.clusterIPs[0]', message: 'may not change once set' },
      `apiVersion: v1\nkind: Service\nmetadata: {name: fixed}\nspec:\n  clusterIP: 10.96.3.{{ .Values.v | len }}\n  ports: [{port: 80}]\n`,
    ],
  ] as const)('%s', async (kind, plural, field, manifest) => {
    const name = `fixed-${plural}`;
    const chart = chartOf(sourceOf(manifest));
    await on.install(name, chart);
    await expect(on.upgrade(name, chart, { values: valuesOf('v: three') })).rejects.toEqual(
      helmFailed('object-unchangeable', {
        object: `${kind} "fixed" in namespace "default"`,
        fields: [field],
        resource: { resource: plural, name: 'fixed', namespace: 'default' },
        hasPods: false,
      }),
    );
    await on.uninstall(name);
  });
});

test('an object without a name of its own is refused before anything is changed, as helm cannot hold it either', async () => {
  const source = sourceOf(
    `${configMap('beside')}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: found-}\n`,
  );
  await expect(on.install('unnamed', chartOf(source))).rejects.toEqual(
    helmFailed('object-unnamed', { kind: 'ConfigMap' }),
  );
  expect(stored('beside')).toBeUndefined();
  await expect(on.uninstall('unnamed')).rejects.toMatchObject({ code: 'release-not-found' });
  const folder = await writeChart(join(cluster.home, 'unnamed'), source);
  await expect(cluster.helm('4.1.4', 'install', 'unnamed', folder)).rejects.toThrow(
    'resource name may not be empty',
  );
  await cluster.client.delete(SECRETS, { namespace: 'default', name: 'sh.helm.release.v1.unnamed.v1' });
});

test('of the same object twice the later one holds', async () => {
  const source = sourceOf(`${configMap('twice', '', 'a: "1"')}---\n${configMap('twice', '', 'b: "2"')}`);
  await on.install('twice', chartOf(source));
  expect(stored('twice')?.data).toEqual({ b: '2' });
  await on.upgrade('twice', chartOf(source));
  expect(stored('twice')?.data).toEqual({ b: '2' });
  await on.uninstall('twice');
  expect(stored('twice')).toBeUndefined();
});

test('a list is its items, which need not say what they are; documents without an object are passed over', async () => {
  const source = sourceOf(
    `---\n# nothing\n---\nnull\n---\napiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: of-list}\n  data: {a: "1"}\n---\napiVersion: v1\nkind: List\nitems: []\n`,
  );
  await on.install('listed', chartOf(source));
  expect(stored('of-list')).toMatchObject({ kind: 'ConfigMap', data: { a: '1' } });
  await on.uninstall('listed');
  expect(stored('of-list')).toBeUndefined();
});

test('a chart brings a namespace and what is in it, reaches into others, and takes all away again', async () => {
  const source = sourceOf(
    `${configMap('inside', ', namespace: brought')}---\n${configMap('yonder', ', namespace: shop')}---\napiVersion: v1\nkind: Namespace\nmetadata: {name: brought}\n`,
  );
  await on.install('wide', chartOf(source));
  expect(stored('inside', 'brought')).toBeDefined();
  expect(stored('yonder', 'shop')).toBeDefined();
  await on.uninstall('wide');
  expect(stored('yonder', 'shop')).toBeUndefined();
  expect(cluster.sim.store.get('namespaces', undefined, 'brought')).toBeUndefined();
});

test('a namespace that nobody has made is named with the object that is to be in it', async () => {
  const chart = chartOf(sourceOf(configMap('lost', ', namespace: nowhere')));
  await expect(on.install('lost', chart)).rejects.toEqual(
    helmFailed('namespace-not-found', {
      namespace: 'nowhere',
      target: 'ConfigMap "lost" in namespace "nowhere"',
    }),
  );
});
