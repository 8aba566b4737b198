import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_MAPS, NAMESPACES, PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HelmCluster, startHelmCluster } from '../../../../../test/support/helm/cluster.ts';
import { kubectl } from '../../../../../test/support/oracles/kubectl.ts';
import { API_AUDIENCE, issueAccountToken } from '../../access/service-account-token.ts';
import type { StoredObject } from '../../store/store.ts';

/* Tests what an API server requires, and what every namespace contains, as a package manager experiences it. */
let cluster: HelmCluster;
beforeAll(async () => {
  const rules = (verbs: readonly string[], resourceNames?: readonly string[]) => [
    { namespace: 'shop', resources: ['configmaps'], verbs, ...(resourceNames ? { resourceNames } : {}) },
  ];
  cluster = await startHelmCluster({
    nodes: [{ name: 'node-1' }],
    namespaces: ['default', 'shop'],
    users: [
      { name: 'changes', rules: rules(['get', 'patch']) },
      { name: 'makes-one', rules: rules(['create', 'patch'], ['named']) },
    ],
  });
});
afterAll(() => cluster.close());

const apply = (client: KubeClient, name: string) =>
  client.patch(
    CONFIG_MAPS,
    { namespace: 'shop', name },
    'application/apply-patch+yaml',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: '1' } },
    { query: { fieldManager: 'helm' } },
  );

/** Returns the object as soon as it exists. */
async function comes(resource: string, namespace: string, name: string) {
  const { store } = cluster.sim;
  const found = store.get(resource, namespace, name);
  if (found !== undefined) return found;
  return new Promise<StoredObject>((resolve) => {
    const stop = store.subscribe(resource, ({ type, object }) => {
      if (type === 'DELETED' || object.metadata.namespace !== namespace || object.metadata.name !== name)
        return;
      stop();
      resolve(object);
    });
  });
}

test('server-side apply takes the right to create where it creates, and not where it changes', async () => {
  const changes = await cluster.connect('changes');
  await expect(apply(changes, 'fresh')).rejects.toMatchObject({
    kind: 'forbidden',
    message: expect.stringContaining(
      'configmaps "fresh" is forbidden: User "changes" cannot create resource "configmaps" in API group "" in the namespace "shop"',
    ),
  });
  await apply(cluster.client, 'fresh');
  await apply(changes, 'fresh');
});

test('a role may name what server-side apply makes', async () => {
  const one = await cluster.connect('makes-one');
  await apply(one, 'named');
  await expect(apply(one, 'other')).rejects.toMatchObject({ kind: 'forbidden' });
});

test('every namespace has its account and the certificate of the cluster, also when they are deleted', async () => {
  await cluster.client.create(NAMESPACES, undefined, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'fresh' },
  });
  for (const namespace of ['default', 'kube-system', 'shop', 'fresh']) {
    await comes('serviceaccounts', namespace, 'default');
    const map = await comes('configmaps', namespace, 'kube-root-ca.crt');
    expect(map.data).toEqual({ 'ca.crt': expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/) });
  }
  const { uid } = await comes('configmaps', 'fresh', 'kube-root-ca.crt').then(({ metadata }) => metadata);
  await cluster.client.delete(CONFIG_MAPS, { namespace: 'fresh', name: 'kube-root-ca.crt' });
  expect((await comes('configmaps', 'fresh', 'kube-root-ca.crt')).metadata.uid).not.toBe(uid);
  const gone = new Promise<void>((resolve) => {
    const stop = cluster.sim.store.subscribe('namespaces', ({ type, object }) => {
      if (type !== 'DELETED' || object.metadata.name !== 'fresh') return;
      stop();
      resolve();
    });
  });
  await cluster.client.delete(NAMESPACES, { name: 'fresh' });
  await gone;
});

test('refuses a pod of a missing account', async () => {
  const containers = [{ name: 'main', image: 'tools' }];
  await expect(
    cluster.client.create(PODS, 'shop', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'nobodys' },
      spec: { serviceAccountName: 'nobody', containers },
    }),
  ).rejects.toMatchObject({
    kind: 'forbidden',
    message: expect.stringContaining(
      'error looking up service account shop/nobody: serviceaccount "nobody" not found',
    ),
  });
});

test('a token is reviewed: whose it is, and for whom', async () => {
  let count = 0;
  const review = async (token: string, audiences?: readonly string[]): Promise<unknown> => {
    const file = join(cluster.home, `review-${count++}.json`);
    const spec = { token, audiences };
    await writeFile(
      file,
      JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec }),
    );
    const { stdout, stderr } = await kubectl(['create', '-f', file, '-o', 'jsonpath={.status}'], {
      kubeconfig: cluster.sim.kubeconfig,
      home: cluster.home,
    });
    if (stdout.length === 0) throw new Error(stderr);
    return JSON.parse(stdout.toString());
  };
  const account = await comes('serviceaccounts', 'shop', 'default');
  const issue = (audiences: readonly string[]) =>
    issueAccountToken(cluster.sim.store, systemClock, account, { lifetimeSeconds: 3600, audiences }).token;
  expect(await review(issue([API_AUDIENCE]))).toMatchObject({
    authenticated: true,
    user: {
      username: 'system:serviceaccount:shop:default',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
    },
    audiences: [API_AUDIENCE],
  });
  const forVault = issue(['vault']);
  expect(await review(forVault)).toMatchObject({ error: expect.stringContaining('invalid bearer token') });
  expect(await review(forVault, ['vault', 'other'])).toMatchObject({
    authenticated: true,
    audiences: ['vault'],
  });
  expect(await review('nonsense')).toEqual({ user: {}, error: 'invalid bearer token' });
});
