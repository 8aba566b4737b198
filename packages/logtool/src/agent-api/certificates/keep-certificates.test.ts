import type { ClusterClient } from '@logtool/kube/src/create-client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { simClient } from '../../../../../test/support/server/sim-client.ts';
import { keepCertificates } from './keep-certificates.ts';

const DAY_MS = 86_400_000;
const NAMES = ['logs-api-tls', 'logs-agent-tls'] as const;
const SERVICES = 'apiservices.apiregistration.k8s.io';
/** All that the API may do for its certificates. */
const RULES = [
  {
    namespace: 'system',
    apiGroups: [''],
    resources: ['secrets'],
    resourceNames: NAMES,
    verbs: ['get', 'update'],
  },
  {
    apiGroups: ['apiregistration.k8s.io'],
    resources: ['apiservices'],
    resourceNames: ['v1alpha1.logtool.dev'],
    verbs: ['get', 'patch'],
  },
];

let cluster: SimCluster;
let client: ClusterClient;
let clock: FakeClock;
beforeEach(async () => {
  clock = new FakeClock(Date.now());
  cluster = await startSimCluster({
    scenario: {
      startDelays: 'none',
      namespaces: ['system'],
      nodes: [{ name: 'node-1' }],
      users: [
        { name: 'api', rules: RULES },
        { name: 'stranger', rules: [] },
      ],
      workloads: [],
    },
  });
  for (const name of NAMES) {
    cluster.store.create('secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'system' },
      type: 'Opaque',
    });
  }
  client = await simClient(cluster, 'api');
});
afterEach(async () => {
  client.close();
  await cluster.close();
});

const keep = (by = client) =>
  keepCertificates({ client: by, clock, namespace: 'system', name: 'logs' }, new AbortController().signal);
const secret = (name: (typeof NAMES)[number]) => {
  const stored = cluster.store.get('secrets', 'system', name);
  const fields = Object.entries((stored?.data ?? {}) as Record<string, string>);
  const texts = fields.map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]);
  return {
    version: stored?.metadata.resourceVersion,
    texts: Object.fromEntries(texts) as Record<string, string>,
  };
};

function createApiService() {
  cluster.store.create(SERVICES, {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1alpha1.logtool.dev' },
    spec: {
      group: 'logtool.dev',
      version: 'v1alpha1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      service: { name: 'logs-api', namespace: 'system', port: 443 },
    },
  });
}

test('makes what is missing with its own rights, and writes nothing when asked again', async () => {
  createApiService();
  const first = await keep();
  const api = secret('logs-api-tls');
  const agent = secret('logs-agent-tls');
  expect(api.texts).toMatchObject({
    'tls.crt': first.certificate,
    'tls.key': first.key,
    'ca.crt': first.bundle,
  });
  expect(api.texts['ca.key']).toContain('PRIVATE KEY');
  expect(Object.keys(agent.texts).sort()).toEqual(['ca.crt', 'tls.crt', 'tls.key']);
  expect(agent.texts['ca.crt']).toBe(first.bundle);
  const { spec } = cluster.store.get(SERVICES, undefined, 'v1alpha1.logtool.dev') ?? {};
  expect((spec as { caBundle?: string }).caBundle).toBe(Buffer.from(first.bundle).toString('base64'));
  expect(await keep()).toEqual(first);
  expect(secret('logs-api-tls').version).toBe(api.version);
  expect(secret('logs-agent-tls').version).toBe(agent.version);
});

test('replicas that start at once agree on one authority and one certificate', async () => {
  const replicas = await Promise.all(Array.from({ length: 4 }, () => simClient(cluster, 'api')));
  try {
    await Promise.all(replicas.map((replica) => keep(replica)));
    const [first, ...others] = await Promise.all(replicas.map((replica) => keep(replica)));
    for (const other of others) expect(other).toEqual(first);
    expect(first?.bundle.match(/BEGIN CERTIFICATE/g)).toHaveLength(1);
    expect(secret('logs-agent-tls').texts['ca.crt']).toBe(first?.bundle);
  } finally {
    for (const replica of replicas) replica.close();
  }
});

test('renews its certificate after ten days, and the authority after a third of its year', async () => {
  createApiService();
  const first = await keep();
  await clock.advance(11 * DAY_MS);
  const second = await keep();
  expect(second.certificate).not.toBe(first.certificate);
  expect(second.bundle).toBe(first.bundle);
  await clock.advance(111 * DAY_MS);
  const third = await keep();
  expect(third.bundle.startsWith(first.bundle)).toBe(true);
  expect(third.bundle.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  const { spec } = cluster.store.get(SERVICES, undefined, 'v1alpha1.logtool.dev') ?? {};
  expect((spec as { caBundle?: string }).caBundle).toBe(Buffer.from(third.bundle).toString('base64'));
});

test('says what is missing: a Secret, or the permission to read it', async () => {
  const stranger = await simClient(cluster, 'stranger');
  await expect(keep(stranger)).rejects.toMatchObject({ kind: 'forbidden' });
  stranger.close();
  cluster.store.remove('secrets', 'system', 'logs-api-tls');
  await expect(keep()).rejects.toMatchObject({ kind: 'not-found' });
});
