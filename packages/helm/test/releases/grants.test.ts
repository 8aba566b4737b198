import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { chartOf, valuesOf, writeChart } from '../../../../test/support/helm/tiny-chart.ts';
import { HELM_VERSIONS, helm } from '../../../../test/support/oracles/helm.ts';

/* A chart with a role and its binding gives rights away, which nobody can who does not have them. */
const RBAC = 'rbac.authorization.k8s.io';
const SOURCE = {
  'Chart.yaml': 'apiVersion: v2\nname: giving\nversion: 0.1.0\n',
  'values.yaml': 'label: one\n',
  'templates/all.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-label}
data: {label: {{ .Values.label }}}
---
apiVersion: ${RBAC}/v1
kind: Role
metadata: {name: {{ .Release.Name }}-reads}
rules:
  - {apiGroups: [""], resources: [configmaps], verbs: [get]}
  - {apiGroups: [""], resources: [pods, pods/log], verbs: [get, list]}
  - {apiGroups: [apps], resources: [deployments], verbs: [get], resourceNames: [web]}
---
apiVersion: ${RBAC}/v1
kind: RoleBinding
metadata: {name: {{ .Release.Name }}-reads}
roleRef: {apiGroup: ${RBAC}, kind: Role, name: {{ .Release.Name }}-reads}
subjects: [{kind: ServiceAccount, name: default}]
`,
};
const chart = chartOf(SOURCE);

const verbs = ['get', 'list', 'create', 'update', 'patch', 'delete'];
const rule = (apiGroup: string, resources: readonly string[], of: readonly string[] = verbs) => ({
  namespace: 'default',
  apiGroups: [apiGroup],
  resources,
  verbs: of,
});
const common = [rule('', ['secrets', 'configmaps']), rule(RBAC, ['roles', 'rolebindings'])];
const user = (name: string, ...rules: readonly unknown[]) => ({
  name,
  namespace: 'default',
  rules: [...common, ...rules],
});

let cluster: HelmCluster;
beforeAll(async () => {
  cluster = await startHelmCluster({
    nodes: [{ name: 'node-1' }],
    namespaces: ['default'],
    users: [
      user('without'),
      user('holder', rule('', ['pods', 'pods/log']), rule('apps', ['deployments'])),
      user('giver', rule(RBAC, ['roles'], ['escalate', 'bind'])),
      user('maker', rule(RBAC, ['roles'], ['escalate'])),
    ],
  });
});
afterAll(() => cluster.close());

const as = async (name: string) => actionsOn(await cluster.connect(name));
const stored = (name: string) => cluster.sim.store.get(`roles.${RBAC}`, 'default', name);

test('reports missing rights beforehand, with those that would be granted', async () => {
  const on = await as('without');
  const inDefault = (verb: string, resource: string) => ({
    verb,
    group: '',
    resource,
    namespace: 'default',
  });
  const lacking = [
    inDefault('get', 'pods'),
    inDefault('list', 'pods'),
    { ...inDefault('get', 'pods'), subresource: 'log' },
    { ...inDefault('list', 'pods'), subresource: 'log' },
    { ...inDefault('get', 'deployments'), group: 'apps', name: 'web' },
  ];
  const onRole = (verb: string) => ({
    ...inDefault(verb, 'roles'),
    group: RBAC,
    name: 'lacks-reads',
    lacking,
  });
  await expect(on.install('lacks', chart)).rejects.toEqual(
    helmFailed('rights-missing', { user: 'without', missing: [onRole('escalate'), onRole('bind')] }),
  );
  expect(await on.context.storage.history('default', 'lacks', {})).toEqual([]);
  const maker = await as('maker');
  await expect(maker.install('lacks', chart)).rejects.toEqual(
    helmFailed('rights-missing', { user: 'maker', missing: [onRole('bind')] }),
  );
});

test('without asking beforehand, the refusal says what is given away and which verb would do', async () => {
  const on = await as('without');
  await expect(on.install('refused', chart, { preflight: false })).rejects.toEqual(
    helmFailed('grant-refused', {
      object: 'Role "refused-reads" in namespace "default"',
      why: `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}
{APIGroups:[""], Resources:["pods/log"], Verbs:["get" "list"]}
{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["web"], Verbs:["get"]}`,
      verb: 'escalate',
    }),
  );
  expect(stored('refused-reads')).toBeUndefined();
});

test.each(['holder', 'giver'])('%s installs it', async (name) => {
  const on = await as(name);
  await on.install(`of-${name}`, chart);
  expect(stored(`of-${name}-reads`)).toBeDefined();
});

test('a role that an upgrade or a rollback leaves as it is takes nothing', async () => {
  await (await as('holder')).install('stays', chart);
  const on = await as('without');
  await on.upgrade('stays', chart, { values: valuesOf('label: two') });
  await on.rollback('stays');
  const before = stored('stays-reads');
  const wider = chartOf({
    ...SOURCE,
    'templates/all.yaml': SOURCE['templates/all.yaml'].replace('[get, list]', '[get, list, watch]'),
  });
  await expect(on.upgrade('stays', wider)).rejects.toMatchObject({ code: 'rights-missing' });
  expect(stored('stays-reads')).toEqual(before);
  await on.uninstall('stays');
});

test.each(HELM_VERSIONS)('helm %s is refused by the cluster alike', async (version) => {
  const folder = await writeChart(join(cluster.home, `giving-${version}`), SOURCE);
  const run = (context: string) =>
    helm(version, ['install', `h-${version.split('.')[0]}`, folder, '--kube-context', context], {
      home: cluster.home,
      kubeconfig: cluster.sim.kubeconfig,
    });
  const refused = await run('without');
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain(
    'user "without" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
  );
});
