import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HELM_VERSIONS, helm } from '../../support/oracles/helm.ts';
import { offences, type PodSpec } from './pod-security.ts';

const CHART = join(import.meta.dirname, '../../../charts/logtool');
const AGENT = ['--set=agent.enabled=true,allowedNamespaces={shop}'];

interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly data?: unknown;
  readonly spec?: Readonly<Record<string, unknown>> & { readonly template?: { readonly spec: AgentPod } };
  readonly rules?: readonly Rule[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly name: string }[];
}

interface AgentPod extends PodSpec {
  readonly containers: readonly (PodSpec['containers'][number] & {
    readonly args: readonly string[];
    readonly volumeMounts?: readonly { readonly readOnly?: boolean }[];
  })[];
}

let home = '';
let manifests: readonly Manifest[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'logtool-chart-'));
  manifests = await render(...AGENT);
});
afterAll(() => rm(home, { recursive: true }));

async function render(...args: readonly string[]): Promise<readonly Manifest[]> {
  const { stdout, stderr, exitCode } = await helm(
    HELM_VERSIONS[0],
    ['template', 'r', CHART, '-n', 'ops', ...args],
    { home },
  );
  expect([exitCode, stderr]).toEqual([0, '']);
  return (loadAll(stdout.toString()) as (Manifest | null)[]).filter((manifest) => manifest !== null);
}

const named = (kind: string, name: string) =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
const podOf = (kind: string, name: string) => named(kind, name)?.spec?.template?.spec as AgentPod;

/** All rights of an account, by the roles that are bound to it. */
function rightsOf(account: string): readonly string[] {
  const bound = manifests.filter(({ subjects = [] }) => subjects.some(({ name }) => name === account));
  return bound.flatMap(({ roleRef }) => {
    const role = named(roleRef?.kind ?? '', roleRef?.name ?? '');
    if (role === undefined) return [`${roleRef?.kind} ${roleRef?.name}`];
    return (role.rules ?? []).map(
      ({ verbs, resources, resourceNames }) =>
        `${verbs.join(',')} ${resources.join(',')}${resourceNames === undefined ? '' : ` ${resourceNames.join(',')}`}`,
    );
  });
}

describe.each(HELM_VERSIONS)('helm %s', (version) => {
  test('has nothing to say against the chart with agents', async () => {
    const { stdout, exitCode } = await helm(version, ['lint', '--strict', CHART, ...AGENT], { home });
    expect([exitCode, stdout.toString().match(/\[(INFO|WARNING|ERROR)\].*/g)]).toEqual([0, null]);
  });
});

test('without the value there is nothing of the agents', async () => {
  const components = (await render()).map(({ metadata }) => metadata.labels['app.kubernetes.io/component']);
  expect(components.filter((component) => component === 'agent' || component === 'api')).toEqual([]);
});

test('neither account may read a log, impersonate, or read any Secret but that of the certificates', () => {
  expect(rightsOf('r-logtool-agent')).toEqual(['create subjectaccessreviews']);
  expect([...rightsOf('r-logtool-api')].sort()).toEqual([
    'Role extension-apiserver-authentication-reader',
    'create subjectaccessreviews',
    'create tokenreviews',
    'get pods',
    'get,patch apiservices v1alpha1.logtool.dev',
    'get,update configmaps r-logtool-api-ca',
    'get,update secrets r-logtool-api-tls',
    'list,watch pods',
  ]);
});

test('the agents can write nothing on their nodes and have no privilege but the folder of the logs', () => {
  const pod = podOf('DaemonSet', 'r-logtool-agent');
  const [container] = pod.containers;
  expect(container?.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(pod.securityContext).toEqual({
    runAsUser: 65532,
    runAsGroup: 0,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(container?.volumeMounts?.map(({ readOnly }) => readOnly)).toEqual([true, true, true]);
  expect([pod.hostNetwork, pod.hostPID, pod.hostIPC]).toEqual([undefined, undefined, undefined]);
  const paths = pod.volumes?.flatMap(({ hostPath }) => hostPath ?? []);
  expect(paths).toEqual([{ path: '/var/log/pods', type: 'Directory' }]);
});

test('each agent proves itself to the API by a token that is bound to its pod', () => {
  const pod = podOf('DaemonSet', 'r-logtool-agent');
  expect(pod.containers[0]?.args).toEqual(
    expect.arrayContaining([
      '--api-address=r-logtool-api.ops.svc:443',
      '--tls-directory=/etc/logtool/ca',
      '--token-file=/var/run/secrets/logtool/token',
    ]),
  );
  expect(pod.volumes?.slice(1)).toEqual([
    { name: 'ca', configMap: { name: 'r-logtool-api-ca', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      name: 'token',
      projected: {
        sources: [
          { serviceAccountToken: { audience: 'logtool-api', expirationSeconds: 3600, path: 'token' } },
        ],
      },
    },
  ]);
});

test('the API is admitted under the level "restricted" and has two replicas', () => {
  expect(offences(podOf('Deployment', 'r-logtool-api'))).toEqual([]);
  expect(named('Deployment', 'r-logtool-api')?.spec?.replicas).toBe(2);
});

test('rendering again changes nothing of the certificates: the chart has none', () => {
  const stored = [named('Secret', 'r-logtool-api-tls'), named('ConfigMap', 'r-logtool-api-ca')];
  for (const object of stored) {
    expect(object?.metadata.namespace).toBe('ops');
    expect(object?.data).toBeUndefined();
  }
  expect(named('APIService', 'v1alpha1.logtool.dev')?.spec).not.toHaveProperty('caBundle');
});

test('the namespaces that may be read are limited in the dashboard, the API and the agents', () => {
  const pods = [
    podOf('Deployment', 'r-logtool'),
    podOf('Deployment', 'r-logtool-api'),
    podOf('DaemonSet', 'r-logtool-agent'),
  ];
  for (const pod of pods) expect(pod.containers[0]?.args).toContain('--allowed-namespaces=shop');
});

test('without an APIService the API may not touch that of another installation', async () => {
  const without = await render('--set=agent.enabled=true,agent.apiService=false');
  expect(without.map(({ kind }) => kind)).not.toContain('APIService');
  const resources = without.flatMap(({ rules = [] }) => rules.flatMap((rule) => rule.resources));
  expect(resources).not.toContain('apiservices');
});

test('cert-manager makes an authority that signs for itself, unless an issuer is named', async () => {
  const own = await render('--set=agent.enabled=true,tls.mode=certManager');
  const of = (kind: string) => own.find((each) => each.kind === kind);
  expect(of('Issuer')).toMatchObject({
    metadata: { name: 'r-logtool-api-authority' },
    spec: { selfSigned: {} },
  });
  expect(of('Certificate')?.spec).toMatchObject({
    isCA: true,
    secretName: 'r-logtool-api-authority',
    issuerRef: { name: 'r-logtool-api-authority', kind: 'Issuer', group: 'cert-manager.io' },
  });
  const named = await render('--set=agent.enabled=true,tls.mode=certManager,tls.issuer.name=company');
  expect(named.map(({ kind }) => kind)).not.toContain('Issuer');
});

test('an authority of a Secret needs its name', async () => {
  const args = ['template', 'r', CHART, '--set=agent.enabled=true,tls.mode=secret'];
  const { exitCode, stderr } = await helm(HELM_VERSIONS[0], args, { home });
  expect(exitCode).toBe(1);
  expect(stderr).toContain('tls.mode secret needs tls.secretName');
});
