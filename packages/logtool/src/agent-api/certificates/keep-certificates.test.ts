import type { ClusterClient } from '@logtool/kube/src/create-client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { simClient } from '../../../../../test/support/server/sim-client.ts';
import { keepCertificates } from './keep-certificates.ts';
import { UnusableAuthorities } from './secret-data.ts';

const DAY_MS = 86_400_000;
const SECRET = 'logs-api-tls';
const CONFIG_MAP = 'logs-api-ca';
const SERVICES = 'apiservices.apiregistration.k8s.io';
/** All that the API may do for its certificates. */
const RULES = [
  {
    namespace: 'system',
    apiGroups: [''],
    resources: ['secrets'],
    resourceNames: [SECRET],
    verbs: ['get', 'update'],
  },
  {
    namespace: 'system',
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: [CONFIG_MAP],
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
  const metadata = { namespace: 'system' };
  const { store } = cluster;
  store.create('secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: { ...metadata, name: SECRET },
  });
  store.create('configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, name: CONFIG_MAP },
  });
  client = await simClient(cluster, 'api');
});
afterEach(async () => {
  client.close();
  await cluster.close();
});

const keep = (by = client) =>
  keepCertificates({ client: by, clock, namespace: 'system', name: 'logs' }, new AbortController().signal);
const secret = () => {
  const stored = cluster.store.get('secrets', 'system', SECRET);
  const fields = Object.entries((stored?.data ?? {}) as Record<string, string>);
  const texts = fields.map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]);
  return {
    version: stored?.metadata.resourceVersion,
    texts: Object.fromEntries(texts) as Record<string, string>,
  };
};
const configMap = () => cluster.store.get('configmaps', 'system', CONFIG_MAP);

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
  const kept = secret();
  const published = configMap();
  expect(kept.texts).toMatchObject({
    'tls.crt': first.certificate,
    'tls.key': first.key,
    'ca.crt': first.bundle,
  });
  expect(kept.texts['ca.key']).toContain('PRIVATE KEY');
  expect(published?.data).toEqual({ 'ca.crt': first.bundle });
  expect(first.signer).toEqual({ certificate: kept.texts['ca.crt'], key: kept.texts['ca.key'] });
  const { spec } = cluster.store.get(SERVICES, undefined, 'v1alpha1.logtool.dev') ?? {};
  expect((spec as { caBundle?: string }).caBundle).toBe(Buffer.from(first.bundle).toString('base64'));
  expect(await keep()).toEqual(first);
  expect(secret().version).toBe(kept.version);
  expect(configMap()?.metadata.resourceVersion).toBe(published?.metadata.resourceVersion);
});

test('replaces no authorities that are unreadable, and changes nothing that agents trust', async () => {
  createApiService();
  const { bundle } = await keep();
  cluster.store.update('secrets', 'system', SECRET, (stored) => {
    stored.data = { ...(stored.data as object), 'ca.key': Buffer.from('lost').toString('base64') };
    return undefined;
  });
  const broken = secret();
  await expect(keep()).rejects.toThrow(UnusableAuthorities);
  expect(secret()).toEqual(broken);
  expect(configMap()?.data).toEqual({ 'ca.crt': bundle });
});

test('replicas that start at once agree on one authority and one certificate', async () => {
  const replicas = await Promise.all(Array.from({ length: 4 }, () => simClient(cluster, 'api')));
  try {
    await Promise.all(replicas.map((replica) => keep(replica)));
    const [first, ...others] = await Promise.all(replicas.map((replica) => keep(replica)));
    for (const other of others) expect(other).toEqual(first);
    expect(first?.bundle.match(/BEGIN CERTIFICATE/g)).toHaveLength(1);
    expect(configMap()?.data).toEqual({ 'ca.crt': first?.bundle });
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
  cluster.store.remove('secrets', 'system', SECRET);
  await expect(keep()).rejects.toMatchObject({ kind: 'not-found' });
});
