import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { chartOf, valuesOf, writeChart } from '../../../../test/support/helm/tiny-chart.ts';
import { HELM_VERSIONS } from '../../../../test/support/oracles/helm.ts';

/*
 * A List in a template is its items. The helms check a List by the OpenAPI document themselves, which they want as
 * protobuf, where they leave anything else to the server.
 */
const SOURCE = {
  'Chart.yaml': 'apiVersion: v2\nname: lists\nversion: 0.1.0\n',
  'values.yaml': 'dropped: false\nimage: web:1\n',
  'templates/list.yaml': `apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: {{ .Release.Name }}-stays}
    data: {image: {{ .Values.image | quote }}}
  {{- if not .Values.dropped }}
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: {{ .Release.Name }}-goes}
  {{- end }}
  - apiVersion: v1
    kind: Service
    metadata: {name: {{ .Release.Name }}-web}
    spec: {ports: [{port: 80, targetPort: 8080}, {name: by-name, port: 81, targetPort: web}]}
  - apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata: {name: {{ .Release.Name }}-reads}
    rules: [{verbs: [get], apiGroups: [""], resources: [pods]}]
  - apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: {{ .Release.Name }}-closed}
    spec: {podSelector: {}, policyTypes: [Ingress]}
  - apiVersion: apps/v1
    kind: Deployment
    metadata: {name: {{ .Release.Name }}-web}
    spec:
      replicas: 0
      strategy: {rollingUpdate: {maxSurge: 25%, maxUnavailable: 0}}
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec:
          containers:
            - name: web
              image: {{ .Values.image }}
              ports: [{containerPort: 8080, name: web}]
              resources: {limits: {cpu: 1, memory: 64Mi}}
`,
};

let cluster: HelmCluster;
beforeAll(async () => {
  cluster = await startHelmCluster();
});
afterAll(() => cluster.close());

const RESOURCES = [
  'configmaps',
  'services',
  'deployments.apps',
  'roles.rbac.authorization.k8s.io',
  'networkpolicies.networking.k8s.io',
];

/** The objects of a release, without what no two of them share. */
function left(name: string): unknown {
  const found = RESOURCES.flatMap((resource) => cluster.sim.store.list(resource, 'default'));
  const own = found.filter(({ metadata }) => metadata.name.startsWith(`${name}-`));
  return own.map(({ kind, metadata: { name: full, labels, annotations }, data, spec, rules }) => {
    const { clusterIP: _ip, clusterIPs: _ips, ...fixed } = { ...spec };
    const plain = { kind, full, labels, annotations, data, spec: fixed, rules };
    return JSON.parse(JSON.stringify(plain).replaceAll(name, 'NAME'));
  });
}

describe.each(HELM_VERSIONS)('as helm %s', (version) => {
  test('an upgrade without one of its items deletes that, and nothing is left in the end', async () => {
    const folder = await writeChart(join(cluster.home, `lists-${version}`), SOURCE);
    const chart = chartOf(SOURCE);
    const on = actionsOn(cluster.client);
    const [theirs, ours] = [`theirs-${version.split('.')[0]}`, `ours-${version.split('.')[0]}`];
    await cluster.helm(version, 'install', theirs, folder);
    await on.install(ours, chart);
    expect(left(ours)).toHaveLength(6);
    expect(left(ours)).toEqual(left(theirs));

    await cluster.helm(version, 'upgrade', theirs, folder, '--set', 'dropped=true,image=web:2');
    await on.upgrade(ours, chart, { values: valuesOf('dropped: true\nimage: web:2') });
    expect(left(ours)).toHaveLength(5);
    expect(left(ours)).toEqual(left(theirs));

    // Each of them takes away what the other has made.
    await cluster.helm(version, 'uninstall', ours);
    await on.uninstall(theirs);
    expect([left(ours), left(theirs)]).toEqual([[], []]);
  });

  test('a field of an item that its kind does not have is refused, and nothing is made', async () => {
    const source = {
      ...SOURCE,
      'templates/list.yaml':
        'apiVersion: v1\nkind: List\nitems:\n  - {apiVersion: v1, kind: ConfigMap, metadata: {name: odd-one}, date: {}}\n',
    };
    const folder = await writeChart(join(cluster.home, `odd-${version}`), source);
    await expect(cluster.helm(version, 'install', 'odd', folder)).rejects.toThrow('unknown field "date"');
    expect(left('odd')).toEqual([]);
  });
});
