import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HELM_VERSIONS, helm } from '../oracle/helm.ts';
import { EVERYTHING } from './everything.ts';

const CHART = join(import.meta.dirname, '../../charts/logtool');

type Fields = Readonly<Record<string, unknown>>;
type Manifest = Fields & { readonly kind: string };

let home = '';
let plain: readonly Manifest[] = [];
let full: readonly Manifest[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'logtool-chart-'));
  [plain, full] = await Promise.all([render(), render(...EVERYTHING)]);
});
afterAll(() => rm(home, { recursive: true }));

/** As the real helm renders the release r in the namespace ops. */
async function render(...sets: readonly string[]): Promise<readonly Manifest[]> {
  const args = ['template', 'r', CHART, '-n', 'ops', ...sets.map((set) => `--set=${set}`)];
  const { stdout, stderr, exitCode } = await helm(HELM_VERSIONS[0], args, { home });
  expect([exitCode, stderr]).toEqual([0, '']);
  return (loadAll(stdout.toString()) as (Manifest | null)[]).filter((manifest) => manifest !== null);
}

function at(value: unknown, path: string): unknown {
  return path.split('/').reduce((inner, name) => (inner as Fields | undefined)?.[name], value);
}

/** Of several of a kind, the one that is called as the release is. */
function fieldOf(manifests: readonly Manifest[], kind: string, path: string): unknown {
  const ofKind = manifests.filter((manifest) => manifest.kind === kind);
  return at(ofKind.find((manifest) => at(manifest, 'metadata/name') === 'r-logtool') ?? ofKind[0], path);
}

const POD = 'spec/template/spec';
const CONTAINER = `${POD}/containers/0`;

describe('with everything set, and with the defaults', () => {
  test.each([
    [
      'Deployment',
      `${CONTAINER}/image`,
      expect.stringMatching(/^mirror\.example\.com\/logtool\/logtool@sha256:/),
      expect.stringMatching(/^ghcr\.io\/logtool\/logtool:/),
    ],
    [
      'Pod',
      'spec/containers/0/image',
      expect.stringMatching(/^mirror\.example\.com\//),
      expect.stringMatching(/^ghcr\.io\//),
    ],
    [
      'Deployment',
      `${POD}/imagePullSecrets`,
      [{ name: 'registry' }, { name: 'mirror' }, { name: 'other' }],
      undefined,
    ],
    [
      'Pod',
      'spec/imagePullSecrets',
      [{ name: 'registry' }, { name: 'mirror' }, { name: 'other' }],
      undefined,
    ],
    ['Deployment', 'spec/strategy', { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } }, undefined],
    ['Deployment', `${POD}/securityContext/fsGroup`, 65532, undefined],
    ['Pod', 'spec/securityContext/fsGroup', 65532, undefined],
    ['Deployment', `${CONTAINER}/securityContext/runAsUser`, 65533, undefined],
    ['Pod', 'spec/containers/0/securityContext/runAsUser', 65533, undefined],
    [
      'Deployment',
      `${CONTAINER}/startupProbe`,
      { httpGet: { path: '/logs/healthz', port: 'http' }, periodSeconds: 2, failureThreshold: 60 },
      undefined,
    ],
    ['Deployment', `${POD}/volumes/1`, { name: 'scratch', emptyDir: { medium: 'Memory' } }, undefined],
    ['Deployment', `${CONTAINER}/volumeMounts/1`, { name: 'scratch', mountPath: '/scratch' }, undefined],
    ['Deployment', `${POD}/dnsConfig`, { options: [{ name: 'ndots' }] }, undefined],
    ['Deployment', `${POD}/hostAliases`, [{ ip: '10.0.0.1', hostnames: ['api.example.com'] }], undefined],
    ['Deployment', `${POD}/priorityClassName`, 'high', undefined],
    ['Deployment', `${POD}/nodeSelector`, { disk: 'ssd' }, undefined],
    ['Deployment', `${POD}/tolerations`, [{ operator: 'Exists' }], undefined],
    ['Deployment', 'spec/template/metadata/annotations', { pod: 'own' }, undefined],
    ['Deployment', 'spec/template/metadata/labels/pod', 'own', undefined],
    ['Deployment', `${CONTAINER}/env`, [{ name: 'TZ', value: 'UTC' }], undefined],
    ['Service', 'spec/type', 'NodePort', 'ClusterIP'],
    ['Service', 'spec/ports/0/nodePort', 30750, undefined],
    ['Service', 'metadata/annotations', { team: 'ops', service: 'own' }, undefined],
    ['ServiceAccount', 'metadata/annotations', { team: 'ops', account: 'own' }, undefined],
    ['Ingress', 'metadata/annotations', { team: 'ops', ingress: 'own' }, undefined],
    ['Ingress', 'spec/ingressClassName', 'nginx', undefined],
    ['Ingress', 'spec/rules/0/host', 'logs.example.com', undefined],
    ['HTTPRoute', 'metadata/annotations', { team: 'ops', route: 'own' }, undefined],
    ['HTTPRoute', 'spec/parentRefs', [{ name: 'public', namespace: 'gateways' }], undefined],
    ['HTTPRoute', 'spec/hostnames', ['route.example.com'], undefined],
    [
      'HTTPRoute',
      'spec/rules/0',
      {
        matches: [{ path: { type: 'PathPrefix', value: '/logs' } }],
        filters: [{ type: 'RequestHeaderModifier' }],
        timeouts: { request: '0s' },
        backendRefs: [{ name: 'r-logtool', port: 80 }],
      },
      undefined,
    ],
  ])('%s has its %s', (kind, path, withAll, withDefaults) => {
    expect(fieldOf(full, kind, path)).toEqual(withAll);
    expect(fieldOf(plain, kind, path)).toEqual(withDefaults);
  });

  test('further arguments come last, and the names of the Ingress and of the route are allowed', () => {
    const args = fieldOf(full, 'Deployment', `${CONTAINER}/args`) as readonly string[];
    expect(args.at(-1)).toBe('--debug');
    expect(args.find((arg) => arg.startsWith('--allowed-host='))).toMatch(
      /,logs\.example\.com,route\.example\.com$/,
    );
  });
});

test('metrics have a port, a Service and a ServiceMonitor of their own, and none of these by default', () => {
  const labels = {
    'app.kubernetes.io/name': 'logtool',
    'app.kubernetes.io/instance': 'r',
    'app.kubernetes.io/component': 'metrics',
  };
  const service = full.find(
    (one) => one.kind === 'Service' && at(one, 'metadata/name') === 'r-logtool-metrics',
  );
  expect(at(service, 'metadata/labels')).toMatchObject(labels);
  expect(at(service, 'spec')).toMatchObject({
    type: 'ClusterIP',
    selector: fieldOf(full, 'Deployment', 'spec/selector/matchLabels'),
    ports: [{ name: 'metrics', port: 9500, targetPort: 'metrics' }],
  });
  expect(fieldOf(full, 'ServiceMonitor', 'spec')).toEqual({
    selector: { matchLabels: labels },
    endpoints: [{ port: 'metrics', path: '/metrics', interval: '15s', scrapeTimeout: '5s' }],
  });
  expect(fieldOf(full, 'ServiceMonitor', 'metadata/labels')).toMatchObject({ release: 'prometheus' });
  expect(fieldOf(full, 'Deployment', `${CONTAINER}/args`)).toContain('--metrics-port=9500');
  expect(fieldOf(full, 'Deployment', `${CONTAINER}/ports/1`)).toEqual({
    name: 'metrics',
    containerPort: 9500,
    protocol: 'TCP',
  });
  expect(fieldOf(full, 'NetworkPolicy', 'spec/ingress/1')).toEqual({
    ports: [{ port: 'metrics', protocol: 'TCP' }],
    from: [{ namespaceSelector: { matchLabels: { team: 'monitoring' } } }],
  });
  expect(fieldOf(plain, 'Deployment', `${CONTAINER}/ports`)).toHaveLength(1);
  expect(fieldOf(plain, 'NetworkPolicy', 'spec/ingress')).toHaveLength(1);
  expect(plain.filter(({ kind }) => kind === 'Service')).toHaveLength(1);
  expect(fieldOf(plain, 'ServiceMonitor', 'spec')).toBeUndefined();
});

test('the pods may reach every port on which API servers commonly listen', () => {
  const ports = fieldOf(plain, 'NetworkPolicy', 'spec/egress/0/ports') as readonly {
    readonly port: number;
  }[];
  expect(ports.map(({ port }) => port)).toEqual([53, 53, 443, 6443, 8443, 16443]);
});

test('a container beside the dashboard is one of its pod', async () => {
  const manifests = await render(
    'dashboard.extraContainers[0].name=proxy,dashboard.extraContainers[0].image=proxy:1',
  );
  expect(fieldOf(manifests, 'Deployment', `${POD}/containers/1`)).toEqual({
    name: 'proxy',
    image: 'proxy:1',
  });
});

test('on OpenShift no user is set, and the rest of the security stays', async () => {
  const manifests = await render(
    'dashboard.podSecurityContext.runAsUser=null,dashboard.podSecurityContext.runAsGroup=null',
  );
  const rest = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
  expect(fieldOf(manifests, 'Deployment', `${POD}/securityContext`)).toEqual(rest);
  expect(fieldOf(manifests, 'Pod', 'spec/securityContext')).toEqual(rest);
});

test('a session key is made anew without a cluster, unless a Secret is named', async () => {
  const keyOf = (manifests: readonly Manifest[]) => {
    const data = fieldOf(manifests, 'Secret', 'data') as Readonly<Record<string, string>> | undefined;
    return data === undefined ? undefined : Buffer.from(data.keys ?? '', 'base64').toString();
  };
  expect(keyOf(plain)).toMatch(/^[A-Za-z0-9]{64}$/);
  expect(keyOf(await render())).not.toBe(keyOf(plain));
  expect(fieldOf(plain, 'Deployment', `${POD}/volumes/0/secret`)).toEqual({
    secretName: 'r-logtool-session',
  });
  const own = await render('dashboard.session.existingSecret=own-keys,dashboard.session.secretKey=a.b');
  expect(keyOf(own)).toBeUndefined();
  expect(fieldOf(own, 'Deployment', `${POD}/volumes/0/secret`)).toEqual({ secretName: 'own-keys' });
  expect(fieldOf(own, 'Deployment', `${CONTAINER}/args`)).toContain(
    '--session-key-file=/etc/logtool/session/a.b',
  );
});
