import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HELM_VERSIONS } from '../../support/oracles/helm.ts';
import { EVERY_KIND } from './every-kind-chart.ts';
import { type Lab, OF_NAMESPACES, startLab, until } from './lab.ts';

/*
 * One chart with every kind common in charts, a CustomResourceDefinition and hooks; helm waits for all of
 * them.
 */
const WAIT = ['--wait', '--wait-for-jobs', '--timeout', '60s'];

/** Excludes pods, claims and slices that the chart's controllers create: they are not part of the release. */
const OF_THE_CHART = [
  'configmaps',
  'cronjobs.batch',
  'daemonsets.apps',
  'deployments.apps',
  'horizontalpodautoscalers.autoscaling',
  'ingresses.networking.k8s.io',
  'jobs.batch',
  'networkpolicies.networking.k8s.io',
  'poddisruptionbudgets.policy',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'secrets',
  'serviceaccounts',
  'services',
  'statefulsets.apps',
  'widgets.example.com',
];

describe.each(HELM_VERSIONS)('helm %s', (version) => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab();
    await lab.chart('every-kind', EVERY_KIND);
  });
  afterAll(() => lab?.close());
  const helm = async (...args: readonly string[]) => {
    const ran = await lab.helm(version, ...args);
    expect(ran).toMatchObject({ stderr: '', exitCode: 0 });
    return ran;
  };
  const stored = (resource: string, name: string) => lab.cluster.store.get(resource, 'place', name);

  test('install --wait makes the CustomResourceDefinition first, runs hooks, and waits for every kind', async () => {
    const { stdout } = await helm(
      'install',
      'all',
      './every-kind',
      '-n',
      'place',
      '--create-namespace',
      ...WAIT,
    );
    expect(stdout).toContain('STATUS: deployed');
    expect(stored('statefulsets.apps', 'db')?.status).toMatchObject({ readyReplicas: 2 });
    expect(stored('deployments.apps', 'web')?.status).toMatchObject({ readyReplicas: 3 });
    expect(stored('jobs.batch', 'once-one')?.status).toMatchObject({ succeeded: 1 });
    expect(stored('persistentvolumeclaims', 'own')?.status).toMatchObject({ phase: 'Bound' });
    expect(stored('persistentvolumeclaims', 'data-db-1')?.status).toMatchObject({ phase: 'Bound' });
    expect(stored('services', 'web')?.status).toMatchObject({
      loadBalancer: { ingress: [{ ipMode: 'VIP' }] },
    });
    expect(stored('poddisruptionbudgets.policy', 'web')?.status).toMatchObject({ currentHealthy: 3 });
    expect(stored('widgets.example.com', 'wi')?.spec).toMatchObject({
      items: [{ name: 'x' }, { name: 'one' }],
    });
    // The hook's policy deletes it once it has succeeded.
    expect(stored('jobs.batch', 'pre')).toBeUndefined();
  });

  test('an upgrade that changes nothing leaves every object unchanged', async () => {
    const versions = () =>
      OF_THE_CHART.filter((resource) => resource !== 'secrets' && resource !== 'jobs.batch').flatMap(
        (resource) =>
          lab.cluster.store
            .list(resource, 'place')
            .map(({ metadata }) => `${resource} ${metadata.name} ${metadata.resourceVersion}`),
      );
    const before = versions();
    await helm('upgrade', 'all', './every-kind', '-n', 'place', ...WAIT);
    expect(versions()).toEqual(before);
  });

  test('upgrade and rollback replace what changed', async () => {
    await helm('upgrade', 'all', './every-kind', '-n', 'place', '--set', 'v=two', ...WAIT);
    const items = () => stored('widgets.example.com', 'wi')?.spec?.items;
    expect(items()).toEqual([
      { name: 'x', size: 1 },
      { name: 'two', size: 2 },
    ]);
    expect(stored('secrets', 's')?.data).toEqual({ password: Buffer.from('two').toString('base64') });
    expect(stored('jobs.batch', 'once-one')).toBeUndefined();
    expect(stored('jobs.batch', 'once-two')).toBeDefined();
    await helm('rollback', 'all', '1', '-n', 'place', '--wait');
    expect(items()).toMatchObject([{ name: 'x' }, { name: 'one' }]);
  });

  test('a hook that fails stops the upgrade before anything is changed, and says so', async () => {
    const before = stored('deployments.apps', 'web')?.metadata.resourceVersion;
    const ran = await lab.helm(
      version,
      'upgrade',
      'all',
      './every-kind',
      '-n',
      'place',
      '--set-string',
      'exitCode=1',
    );
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(/pre-upgrade hooks failed|BackoffLimitExceeded/);
    expect(stored('deployments.apps', 'web')?.metadata.resourceVersion).toBe(before);
    expect((await helm('status', 'all', '-n', 'place')).stdout).toContain('STATUS: failed');
  });

  test('tests run, and uninstall removes what the chart brought', async () => {
    expect((await helm('test', 'all', '-n', 'place')).stdout).toMatch(/Phase: +Succeeded/);
    await helm('uninstall', 'all', '-n', 'place', '--wait');
    const { store } = lab.cluster;
    // The failed hook's Job is not part of the release.
    const left = OF_THE_CHART.flatMap((resource) => store.list(resource, 'place')).map(
      ({ metadata }) => metadata.name,
    );
    expect(left.filter((name) => !OF_NAMESPACES.includes(name))).toEqual(['pre']);
    expect(store.list('customresourcedefinitions.apiextensions.k8s.io')).toHaveLength(1);
  });

  test('the namespace goes with all that is left in it', async () => {
    const deleted = await lab.kubectl('delete', 'namespace', 'place', '--wait=false');
    expect(deleted).toMatchObject({ exitCode: 0 });
    await until(lab, 'namespaces', '', 'place', (namespace) => namespace === undefined);
    const { store } = lab.cluster;
    expect(store.resources().flatMap((resource) => store.list(resource, 'place'))).toEqual([]);
  });
});
