import type { HelmFailures } from '@logtool/helm/src/failures.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { chartOf, TINY, valuesOf } from '../../../../test/support/helm/tiny-chart.ts';

/** All rights that the commands below take, in the namespace team; `create namespaces` in the cluster. */
const RIGHTS = [
  ...['list', 'create', 'update', 'delete'].map((verb) => [verb, '', 'secrets'] as const),
  ...['get', 'create', 'patch', 'delete'].map((verb) => [verb, '', 'configmaps'] as const),
  ...['get', 'create', 'patch', 'delete'].map((verb) => [verb, 'apps', 'deployments'] as const),
  ...['get', 'create', 'patch', 'delete'].map((verb) => [verb, '', 'serviceaccounts'] as const),
];
type Right = (typeof RIGHTS)[number];
const userName = (right?: Right) => (right === undefined ? 'able' : `no-${right[0]}-${right[2]}`);
const rules = (missing?: Right) =>
  RIGHTS.filter((right) => right !== missing).map(([verb, group, resource]) => ({
    namespace: 'team',
    apiGroups: [group],
    resources: [resource],
    verbs: [verb],
  }));

let cluster: HelmCluster;
beforeAll(async () => {
  cluster = await startHelmCluster({
    nodes: [{ name: 'node-1' }],
    namespaces: ['default', 'team'],
    users: [undefined, ...RIGHTS].map((right) => ({
      name: userName(right),
      namespace: 'team',
      rules: rules(right),
    })),
  });
});
afterAll(() => cluster.close());

const HOOK = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .Release.Name }}-hook
  annotations: {helm.sh/hook: "pre-install,pre-upgrade,pre-delete"}
`;
const chart = chartOf({ ...TINY, 'templates/hook.yaml': HOOK });
const quick = { wait: false, preflight: false };
const as = async (right?: Right) => {
  return actionsOn(await cluster.connect(userName(right)), { namespace: 'team' });
};
const everything = () =>
  cluster.sim.store
    .resources()
    .filter((resource) => !/^(events|leases|nodes|pods|replicasets|endpoints)/.test(resource))
    .flatMap((resource) => cluster.sim.store.list(resource, 'team'))
    .map(
      ({ kind, metadata }) =>
        `${kind} ${metadata.name} ${kind === 'Deployment' ? '' : metadata.resourceVersion}`,
    )
    .sort();

async function refused(run: Promise<unknown>): Promise<CodedError> {
  try {
    await run;
  } catch (error) {
    const described = describeKubeError(error, cluster.client.cluster);
    if (!(described instanceof CodedError)) throw described;
    return described;
  }
  throw new Error('it went through');
}

/** The refusal has verb, group, resource and namespace, and no other right. */
function expectNamed(error: CodedError, [verb, group, resource]: Right): void {
  if (error.code === 'forbidden') {
    const named = group === '' ? resource : `${resource}.${group}`;
    expect(error.data).toMatchObject({ right: { verb, resource: named, namespace: 'team' } });
    return;
  }
  expect(error.code).toBe('rights-missing');
  const { missing } = error.data as HelmFailures['rights-missing'];
  expect(missing.length).toBeGreaterThan(0);
  for (const right of missing) expect(right).toMatchObject({ verb, group, resource, namespace: 'team' });
}

test('exactly these rights suffice to install, upgrade, roll back and uninstall', async () => {
  const on = await as();
  await on.install('able', chart);
  await on.upgrade('able', chart, { values: valuesOf('extra: true') });
  await on.upgrade('able', chart, { values: valuesOf('extra: false') });
  await on.rollback('able');
  await on.uninstall('able');
});

describe.each(RIGHTS.map((right) => [`${right[0]} ${right[2]}`, right] as const))(
  'without %s',
  (title, right) => {
    const isNeeded = {
      install: title !== 'delete secrets' && title !== 'delete configmaps' && title !== 'delete deployments',
      upgrade:
        title !== 'delete secrets' &&
        title !== 'delete deployments' &&
        title !== 'create deployments' &&
        title !== 'create configmaps',
      uninstall: ![
        'create secrets',
        'create configmaps',
        'patch configmaps',
        'create deployments',
        'patch deployments',
      ].includes(title),
    };

    test('an installation that needs it is refused with its name before anything is made', async () => {
      const on = await as(right);
      const name = userName(right);
      const before = everything();
      if (isNeeded.install) {
        expectNamed(await refused(on.install(name, chart)), right);
        expect(everything()).toEqual(before);
      } else await on.install(name, chart, { wait: false });
    });

    test('so are an upgrade and an uninstallation', async () => {
      const all = await as();
      const on = await as(right);
      const name = `${userName(right)}-x`;
      await all.install(name, chart, { ...quick, values: valuesOf('extra: true') });
      const before = everything();
      if (isNeeded.upgrade) {
        expectNamed(await refused(on.upgrade(name, chart, { resetValues: true })), right);
        expect(everything()).toEqual(before);
      } else await on.upgrade(name, chart, { wait: false, resetValues: true });
      const between = everything();
      if (isNeeded.uninstall) {
        expectNamed(await refused(on.uninstall(name)), right);
        expect(everything()).toEqual(between);
        await all.uninstall(name, quick);
      } else await on.uninstall(name, { wait: false });
    });
  },
);

test('without the preflight the action goes as far as it may, and records what it could not do', async () => {
  const right = RIGHTS.find(([verb, , resource]) => verb === 'patch' && resource === 'deployments');
  const on = await as(right);
  const error = await refused(on.install('brave', chart, { preflight: false }));
  expect(error.code).toBe('forbidden');
  const [release] = await on.context.storage.history('team', 'brave');
  expect(release?.info.status).toBe('failed');
  expect(cluster.sim.store.get('configmaps', 'team', 'brave-config')).toBeDefined();
});

test('a missing right to create namespaces is reported before anything is made', async () => {
  const on = actionsOn(await cluster.connect('able'), { namespace: 'new' });
  const error = await refused(on.install('outside', chart));
  expect(error.data).toMatchObject({ right: { resource: 'secrets', namespace: 'new' } });
});
