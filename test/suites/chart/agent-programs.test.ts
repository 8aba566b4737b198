import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { writePem } from '@logtool/helm/src/functions/sprig/crypto/pem.ts';
import { keyPem, readPrivateKey } from '@logtool/helm/src/functions/sprig/crypto/private-key.ts';
import { createCertificate, parseCertificate } from '@logtool/helm/src/functions/sprig/crypto/x509.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { issueAuthority } from '@logtool/logtool/src/agent-api/certificates/issue.ts';
import { Stop } from '@logtool/logtool/src/cli/exit-codes.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { loadAll } from 'js-yaml';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { HELM_VERSIONS, helm } from '../../support/oracles/helm.ts';
import { kubectl } from '../../support/oracles/kubectl.ts';

const SYSTEM = 'logtool';
const HOST = '127.0.0.1';
const ACCOUNT = 'logtool-agent';
const CHART = join(import.meta.dirname, '../../../charts/logtool');

interface Manifest {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly object[];
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly containers: readonly { readonly args: readonly string[] }[];
}

let manifests: readonly Manifest[] = [];
beforeAll(async () => {
  const home = await mkdtemp(join(tmpdir(), 'logtool-chart-'));
  const args = ['template', 'logtool', CHART, '-n', SYSTEM, '--set=agent.enabled=true'];
  const { stdout } = await helm(HELM_VERSIONS[0], args, { home });
  await rm(home, { recursive: true });
  manifests = (loadAll(stdout.toString()) as (Manifest | null)[]).filter((each) => each !== null);
});

const manifest = (kind: string, name: string) => {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`the chart has no ${kind} ${name}`);
  return found;
};

/** What the chart allows an account: in the whole cluster, in its namespace, and as a reader of the front proxy. */
function rightsOf(account: string): readonly object[] {
  const { rules = [] } = manifest('ClusterRole', `${SYSTEM}:${account}`);
  if (account === ACCOUNT) return rules;
  const own = manifest('Role', account).rules ?? [];
  return [...rules, ...own.map((rule) => ({ ...rule, namespace: SYSTEM })), READ_FRONT_PROXY];
}

/** The rules of the role extension-apiserver-authentication-reader of Kubernetes. */
const READ_FRONT_PROXY = {
  namespace: 'kube-system',
  apiGroups: [''],
  resources: ['configmaps'],
  resourceNames: ['extension-apiserver-authentication'],
  verbs: ['get', 'list', 'watch'],
};

/** The arguments of a program as its pod has them, but for what depends on the machine. */
function argumentsOf(kind: 'DaemonSet' | 'Deployment', name: string): readonly string[] {
  const [container] = manifest(kind, name).spec?.template?.spec.containers ?? [];
  const elsewhere = /^--(?:in-cluster|port|tls-directory|token-file|api-address)/;
  return container!.args.filter((argument) => !elsewhere.test(argument));
}

let cluster: SimCluster;
let folder: string;
let programs: Program[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-agent-'));
  programs = [];
  cluster = await startSimCluster({
    scenario: {
      startDelays: 'none',
      namespaces: [SYSTEM, 'shop'],
      nodes: [{ name: 'node-1' }, { name: 'node-2' }],
      users: [
        { name: 'logtool-api', rules: rightsOf('logtool-api') },
        { name: ACCOUNT, rules: rightsOf(ACCOUNT) },
      ],
      workloads: [
        {
          kind: 'Pod',
          namespace: 'shop',
          name: 'web',
          nodeName: 'node-1',
          containers: [{ name: 'app', lines: ['one', 'two'] }],
        },
      ],
    },
  });
  createObjects();
});
afterEach(async () => {
  for (const program of programs) program.made.controller.abort(new Stop(130, 'interrupted'));
  await Promise.all(programs.map(({ ended }) => ended));
  await cluster.close();
  await rm(folder, { recursive: true });
});

interface Program {
  readonly made: ReturnType<typeof capture>;
  readonly ended: Promise<number>;
}

function start(args: readonly string[]): Program {
  const connection = [`--kubeconfig=${cluster.kubeconfig}`, `--kube-context=logtool-${args[0]}`];
  const made = capture([...args, ...connection, '--port=0'], { overrides: { clock: systemClock } });
  const program = { made, ended: run(made.context) };
  programs.push(program);
  return program;
}

async function portOf({ made }: Program): Promise<number> {
  await expect.poll(made.stderr, { timeout: 60_000 }).toMatch(/"port":\d+/);
  return Number(/"port":(\d+)/.exec(made.stderr())?.[1]);
}

const CREATED = {
  Secret: ['secrets', 'logtool-api-tls'],
  ConfigMap: ['configmaps', 'logtool-api-ca'],
  ServiceAccount: ['serviceaccounts', ACCOUNT],
  Service: ['services', 'logtool-api'],
  APIService: ['apiservices.apiregistration.k8s.io', 'v1alpha1.logtool.dev'],
} as const;

/** Creates the objects of the chart that no simulated controller needs. */
function createObjects(): void {
  const { store } = cluster;
  for (const [kind, [resource, name]] of Object.entries(CREATED))
    store.create(resource, manifest(kind, name));
  // The simulated kubelet gives the pods addresses of the cluster, and the agents listen on this machine.
  store.subscribe('pods', ({ type, object }) => {
    const { name, namespace } = object.metadata;
    const { podIP } = object.status ?? {};
    if (type === 'DELETED' || namespace !== SYSTEM || podIP === undefined || podIP === HOST) return;
    store.update('pods', SYSTEM, name, (pod) => {
      pod.status = { ...pod.status, podIP: HOST };
      return undefined;
    });
  });
}

async function startApi(
  further: readonly string[] = [],
): Promise<{ readonly api: Program; readonly port: number }> {
  const api = start([...argumentsOf('Deployment', 'logtool-api'), ...further]);
  const port = await portOf(api);
  cluster.store.create('endpointslices.discovery.k8s.io', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `logtool-api-${port}`,
      namespace: SYSTEM,
      labels: { 'kubernetes.io/service-name': 'logtool-api' },
    },
    addressType: 'IPv4',
    endpoints: [{ addresses: [HOST], conditions: { ready: true } }],
    ports: [{ name: 'api', protocol: 'TCP', port }],
  });
  return { api, port };
}

function createAgentPod(node: string): void {
  cluster.store.create('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `agent-${node}`, namespace: SYSTEM },
    spec: {
      nodeName: node,
      schedulerName: 'none',
      serviceAccountName: ACCOUNT,
      containers: [{ name: 'agent', image: 'logtool' }],
    },
  });
}

/** Lets the API find an agent: the pod exists before its token does, and its port only when the agent listens. */
function publishPort(node: string, containerPort: number): void {
  cluster.store.update('pods', SYSTEM, `agent-${node}`, (pod) => {
    const { containers = [] } = pod.spec as { containers?: { ports?: object[] }[] };
    containers[0]!.ports = [{ name: 'agent', containerPort }];
    pod.metadata.labels = {
      'app.kubernetes.io/name': 'logtool',
      'app.kubernetes.io/instance': 'logtool',
      'app.kubernetes.io/component': 'agent',
    };
    return undefined;
  });
}

/** Mounts what the kubelet would mount into a pod: its token, and whom it trusts. */
async function mount(
  node: string,
  audience: string,
): Promise<{ readonly token: string; readonly ca: string }> {
  const bound = ['--bound-object-kind=Pod', `--bound-object-name=agent-${node}`];
  const args = ['create', 'token', ACCOUNT, '-n', SYSTEM, `--audience=${audience}`, ...bound];
  const { stdout, stderr } = await kubectl(['--context=admin', ...args], cluster);
  expect(stderr).toBe('');
  const data = cluster.store.get('configmaps', SYSTEM, 'logtool-api-ca')?.data as Record<string, string>;
  const ca = join(folder, node);
  await mkdir(ca);
  const token = join(ca, 'token');
  await writeFile(token, stdout);
  await writeFile(join(ca, 'ca.crt'), data['ca.crt']!);
  return { token, ca };
}

async function startAgent(node: string, apiPort: number, audience = 'logtool-api'): Promise<Program> {
  createAgentPod(node);
  const { token, ca } = await mount(node, audience);
  return start([
    ...argumentsOf('DaemonSet', ACCOUNT),
    `--log-directory=${join(cluster.logDirectory, node)}`,
    `--api-address=${HOST}:${apiPort}`,
    `--api-name=logtool-api.${SYSTEM}.svc`,
    `--tls-directory=${ca}`,
    `--token-file=${token}`,
  ]);
}

/** Returns an authority of the machine's time that another one has signed. */
function issueIntermediate() {
  const root = issueAuthority(Date.now());
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const bytes = createCertificate(
    {
      commonName: 'company-logs',
      dnsNames: [],
      addresses: [],
      serial: Buffer.from([1]),
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 86_400_000),
      isAuthority: true,
    },
    key,
    {
      key: readPrivateKey(root.key),
      certificate: parseCertificate(new X509Certificate(root.certificate).raw),
    },
  );
  return { certificate: writePem({ type: 'CERTIFICATE', bytes }), key: keyPem(key) };
}

/** Returns the certificate that a server proves. */
async function certificateAt(port: number): Promise<X509Certificate> {
  const socket = connect({ host: HOST, port, rejectUnauthorized: false });
  try {
    const peer = await new Promise<DetailedPeerCertificate>((resolve, reject) => {
      socket.once('secureConnect', () => resolve(socket.getPeerCertificate(true)));
      socket.once('error', reject);
    });
    return new X509Certificate(peer.raw);
  } finally {
    socket.destroy();
  }
}

const LOG = '/apis/logtool.dev/v1alpha1/namespaces/shop/pods/web/log';
/** Returns the log of the pod as kubectl gets it, or why not. */
const read = async () => {
  const { stdout, stderr } = await kubectl(['--context=admin', 'get', '--raw', LOG], cluster);
  return stdout.toString() + stderr;
};

describe.runIf(existsSync('/proc/self/fd'))('certificates by the chart', () => {
  test('are for the node that each has proved, and lead from kubectl through two replicas to it', async () => {
    const [first, second] = [await startApi(), await startApi()];
    const agents = [await startAgent('node-1', first.port), await startAgent('node-2', second.port)];
    const ports = await Promise.all(agents.map(portOf));
    const names = await Promise.all(ports.map(async (port) => (await certificateAt(port)).subjectAltName));
    expect(names).toEqual(['DNS:node-1.logtool-agent', 'DNS:node-2.logtool-agent']);
    publishPort('node-1', ports[0]!);
    // The API server asks both replicas in turn.
    for (let asked = 0; asked < 4; asked++) await expect.poll(read, { timeout: 60_000 }).toBe('one\ntwo\n');
    expect(first.api.made.stderr()).toContain('"node":"node-1","pod":"agent-node-1"');
    expect([first, second].map(({ api }) => api.made.stderr()).join('')).not.toContain('PRIVATE KEY');
  });

  test('do not let the agent of a node answer in the place of another', async () => {
    const { api, port } = await startApi();
    const [own, other] = [await startAgent('node-1', port), await startAgent('node-2', port)];
    await portOf(own);
    publishPort('node-1', await portOf(other));
    await expect.poll(read).toContain('Error from server');
    await expect.poll(api.made.stderr).toContain('OtherAgent');
    publishPort('node-1', await portOf(own));
    await expect.poll(read, { timeout: 60_000 }).toBe('one\ntwo\n');
  });

  test('are not issued for a token of another audience, and without one an agent serves nobody', async () => {
    const { api, port } = await startApi();
    const agent = await startAgent('node-1', port, 'https://kubernetes.default.svc');
    await expect.poll(api.made.stderr).toContain('"problem":"refused"');
    await expect.poll(agent.made.stderr).toContain('waits for its certificate');
    expect(agent.made.stderr()).not.toContain('serves the logs');
  });

  test('are not issued after the Secret of the authorities broke: the API names the repair', async () => {
    cluster.store.update('secrets', SYSTEM, 'logtool-api-tls', (secret) => {
      secret.data = { 'ca.crt': Buffer.from('nonsense').toString('base64') };
      return undefined;
    });
    const { made, ended } = start(argumentsOf('Deployment', 'logtool-api'));
    expect(await ended).toBe(1);
    expect(made.stderr()).toContain('logtool cannot use the authorities in the Secret logtool-api-tls');
    expect(made.stderr()).toContain('kubectl patch secret logtool-api-tls -n logtool --type=json');
    const repair = ['patch', 'secret', 'logtool-api-tls', '-n', SYSTEM, '--type=json'];
    const repaired = await kubectl(
      ['--context=admin', ...repair, '-p=[{"op":"remove","path":"/data"}]'],
      cluster,
    );
    expect(repaired).toMatchObject({ exitCode: 0, stderr: '' });
    await startApi();
  });

  test('come from an authority of a Secret, which another authority has signed', async () => {
    const authority = join(folder, 'authority');
    await mkdir(authority);
    const { certificate, key } = issueIntermediate();
    await writeFile(join(authority, 'tls.crt'), certificate);
    await writeFile(join(authority, 'tls.key'), key);
    const { port } = await startApi([`--authority-directory=${authority}`]);
    const agent = await startAgent('node-1', port);
    publishPort('node-1', await portOf(agent));
    await expect.poll(read, { timeout: 60_000 }).toBe('one\ntwo\n');
    const configMap = cluster.store.get('configmaps', SYSTEM, 'logtool-api-ca');
    expect(configMap?.data).toEqual({ 'ca.crt': certificate });
  });
});
