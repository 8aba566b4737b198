import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HELM_VERSIONS, type HelmVersion, helm } from '../../support/oracles/helm.ts';
import { EVERYTHING } from './everything.ts';

const CHART = join(import.meta.dirname, '../../../charts/logtool');

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'logtool-chart-'));
});
afterAll(() => rm(home, { recursive: true }));

interface Manifest {
  readonly kind: string;
  readonly metadata: Readonly<Record<'name' | 'namespace', unknown>> & {
    readonly labels: Readonly<Record<string, unknown>>;
    readonly annotations?: Readonly<Record<string, unknown>>;
  };
  readonly spec?: { readonly selector?: { readonly matchLabels?: Readonly<Record<string, unknown>> } };
}

async function render(args: readonly string[], chart = CHART, version: HelmVersion = HELM_VERSIONS[0]) {
  const { stdout, stderr, exitCode } = await helm(version, ['template', ...args, chart], { home });
  expect([exitCode, stderr]).toEqual([0, '']);
  return (loadAll(stdout.toString()) as (Manifest | null)[]).filter((manifest) => manifest !== null);
}

const ALL = EVERYTHING.map((set) => `--set=${set}`);

test.each([
  '123',
  '1e3',
  '0x1f',
  'true',
  'null',
  'no',
  'a.b',
  '1.5',
  '-'.padStart(50, 'x').padEnd(53, 'y'),
  'z'.repeat(53),
])(
  'every name and label is a text that the API takes, of the release and in the namespace %s',
  async (name) => {
    const namespace = name.replaceAll('.', '-');
    for (const { kind, metadata, spec } of await render([name, '-n', namespace, ...ALL])) {
      expect(metadata.name).toEqual(
        expect.stringMatching(/^[a-z](?:[-a-z0-9]{0,68}[a-z0-9])?$/), // RFC 1035; the roles' names are longer
      );
      if (kind === 'Service') expect((metadata.name as string).length).toBeLessThan(64);
      if (!kind.startsWith('Role')) expect(metadata.namespace).toBe(namespace);
      const labels = { ...metadata.labels, ...spec?.selector?.matchLabels };
      expect(Object.values(labels).filter((label) => typeof label !== 'string')).toEqual([]);
      expect(labels['app.kubernetes.io/instance']).toBe(name);
    }
  },
);

test('all objects have the labels and annotations that are for all', async () => {
  for (const { metadata } of await render(['r', ...ALL])) {
    expect(metadata.labels.team).toBe('ops');
    expect(metadata.annotations?.team).toBe('ops');
  }
});

test('two installations give readers of the whole cluster rights of different names', async () => {
  const reader = '--set=readers[0].kind=User,readers[0].name=ann';
  const namesOf = (manifests: readonly Manifest[]) =>
    manifests.filter(({ kind }) => kind.startsWith('ClusterRole')).map(({ metadata }) => metadata.name);
  const one = namesOf(await render(['logtool', '-n', 'team-dev', reader]));
  const other = namesOf(await render(['dev', '-n', 'team', reader]));
  expect(one).toHaveLength(2);
  expect(one).not.toEqual(other);
});

test.each([
  'commonLabels',
  'commonAnnotations',
  'image.pullSecrets',
  'allowedNamespaces',
  'readers',
  ...['resources', 'podLabels', 'podAnnotations', 'livenessProbe', 'readinessProbe', 'allowedHosts'].map(
    (name) => `dashboard.${name}`,
  ),
  ...['extraVolumes', 'extraVolumeMounts', 'extraContainers', 'podSecurityContext', 'securityContext'].map(
    (name) => `dashboard.${name}`,
  ),
  ...['strategy', 'dnsConfig', 'hostAliases', 'startupProbe', 'service.nodePort'].map(
    (name) => `dashboard.${name}`,
  ),
  ...['serviceAccount.annotations', 'service.annotations', 'ingress.annotations', 'ingress.hosts'].map(
    (name) => `dashboard.${name}`,
  ),
])('%s may be null', async (path) => {
  const more = path.startsWith('dashboard.ingress.a') ? ALL : [];
  expect(await render(['r', ...more, `--set=${path}=null`])).not.toEqual([]);
});

describe.each(HELM_VERSIONS)('before anything is made, helm %s refuses', (version) => {
  test.each([
    ['dashboard.ingress=null', 'ingress'],
    ['dashboard.port=null', 'port'],
    ['nameOverride=Foo', 'nameOverride'],
    ['fullnameOverride=x_y', 'fullnameOverride'],
    ['fullnameOverride=1st', 'fullnameOverride'],
    [`fullnameOverride=${'f'.repeat(64)}`, 'fullnameOverride'],
    ['commonLabels.app\\.kubernetes\\.io/name=x', 'commonLabels'],
    ['dashboard.podLabels.app\\.kubernetes\\.io/component=x', 'podLabels'],
    ['allowedNamespaces={a,a}', 'allowedNamespaces'],
    ['readers[0].kind=ServiceAccount,readers[0].name=ann', 'namespace'],
    ['dashboard.basePath=/a/../b', 'basePath'],
    ['dashboard.allowedHosts={*}', 'allowedHosts'],
    ['dashboard.ingress.enabled=true,dashboard.ingress.hosts={*.example.com}', 'hosts'],
    ['dashboard.livenessProbe.successThreshold=2', 'successThreshold'],
    ['dashboard.startupProbe.successThreshold=2', 'successThreshold'],
    ['dashboard.service.type=ExternalName', 'type'],
    ['dashboard.service.nodePort=70000', 'nodePort'],
    ['dashboard.session.existingSecret=Own', 'existingSecret'],
    ['dashboard.metrics.port=80', 'port'],
    ['dashboard.metrics.serviceMonitor.interval=often', 'interval'],
    ['dashboard.session.secretKey=a/b', 'secretKey'],
    ['dashboard.httpRoute.hostnames={*.example.com}', 'hostnames'],
    ['global.imagePullSecrets[0].secret=x', 'imagePullSecrets'],
    ['dashboard.podDisruptionBudget.maxUnavailable=few', 'maxUnavailable'],
    ['dashboard.podDisruptionBudget.maxUnavailable=-1', 'maxUnavailable'],
  ])('%s', async (set, message) => {
    const { stderr, exitCode } = await helm(version, ['template', 'r', CHART, `--set=${set}`], { home });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/values don't meet the specifications of the schema/);
    expect(stderr).toContain(message);
  });

  test.each([
    'dashboard.basePath=/',
    'dashboard.basePath=logs/',
    'dashboard.podDisruptionBudget.maxUnavailable=50%',
    'dashboard.allowedHosts={a.b:8080,[::1]:80}',
    'readers[0].kind=ServiceAccount,readers[0].name=ann,readers[0].namespace=ops',
  ])('not %s', async (set) => {
    expect(await render(['r', `--set=${set}`], CHART, version)).not.toEqual([]);
  });
});

describe.each(HELM_VERSIONS)('helm %s refuses what leads nowhere', (version) => {
  test.each([
    ['dashboard.ingress.enabled=true', 'dashboard.ingress.hosts: name at least one host'],
    [
      'dashboard.ingress.enabled=true,dashboard.ingress.hosts=null',
      'dashboard.ingress.hosts: name at least one host',
    ],
    ['dashboard.metrics.enabled=true,dashboard.metrics.port=7500', 'dashboard.metrics.port: choose another'],
    ['dashboard.metrics.serviceMonitor.enabled=true', 'set dashboard.metrics.enabled too'],
    ['dashboard.service.nodePort=30750', 'dashboard.service.nodePort: set dashboard.service.type'],
    [
      'dashboard.httpRoute.enabled=true,dashboard.httpRoute.hostnames={a.b}',
      'dashboard.httpRoute.parentRefs: name at least one Gateway',
    ],
    [
      'dashboard.httpRoute.enabled=true,dashboard.httpRoute.parentRefs[0].name=public',
      'dashboard.httpRoute.hostnames: name at least one host',
    ],
  ])('%s', async (set, message) => {
    const { stderr, exitCode } = await helm(version, ['template', 'r', CHART, `--set=${set}`], { home });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});

test.each(HELM_VERSIONS)(
  'a parent chart takes it in or leaves it out by a condition, in helm %s',
  async (version) => {
    const parent = join(home, `parent-${version}`);
    await mkdir(join(parent, 'charts'), { recursive: true });
    await cp(CHART, join(parent, 'charts/logtool'), { recursive: true });
    const dependency = 'dependencies:\n  - {name: logtool, version: ">=0.0.0", condition: logtool.enabled}\n';
    await writeFile(
      join(parent, 'Chart.yaml'),
      `apiVersion: v2\nname: parent\nversion: 1.0.0\n${dependency}`,
    );
    expect(await render(['r', '--set=logtool.enabled=true,global.x=y'], parent, version)).not.toEqual([]);
    expect(await render(['r', '--set=logtool.enabled=false'], parent, version)).toEqual([]);
  },
);
