import { CONFIG_MAPS, NAMESPACES } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { kubeconfigAt } from '@logtool/simcluster/test/support/ask.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openClient } from '../../support/conformance/cluster.ts';
import { otherKubeconfigs } from '../../support/conformance/kubeconfig.ts';
import { marked } from '../../support/conformance/mark.ts';
import { findNamespace } from './test-namespace.ts';

let cluster: SimCluster;
let client: KubeClient;

beforeAll(async () => {
  cluster = await startSimCluster({
    scenario: {
      nodes: [{ name: 'node-a' }],
      namespaces: ['default', 'given'],
      users: [
        { name: 'guest', rules: [{ namespace: 'given', resources: ['pods'], verbs: ['get', 'list'] }] },
      ],
      workloads: [],
    },
  });
  client = await openClient(cluster.kubeconfig);
});

afterAll(async () => {
  client?.close();
  await cluster?.close();
});

const { signal } = new AbortController();
const names = async (namespace: string) => {
  const found: string[] = [];
  for await (const { items } of client.list(CONFIG_MAPS, { namespace })) {
    found.push(...items.map(({ metadata }) => metadata.name));
  }
  return found;
};
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

test('a namespace is made, and is gone when all is cleared', async () => {
  const { namespace, clear } = await findNamespace(client, undefined, signal);
  expect(namespace).toMatch(/^logtool-test-/);
  await client.create(CONFIG_MAPS, namespace, configMap('left'));
  await clear(signal);
  await expect(client.get(NAMESPACES, { name: namespace })).rejects.toMatchObject({ kind: 'not-found' });
});

test('in a namespace that was there before only what the run made is cleared', async () => {
  const before = await names('given');
  const { namespace, mark, clear } = await findNamespace(client, 'given', signal);
  expect(namespace).toBe('given');
  await client.create(CONFIG_MAPS, 'given', configMap('of-somebody'));
  await client.create(CONFIG_MAPS, 'given', marked(configMap('of-the-run'), mark));
  await client.create(CONFIG_MAPS, 'given', marked(configMap('of-another-run'), 'run-other'));
  await clear(signal);
  expect((await names('given')).sort()).toEqual([...before, 'of-another-run', 'of-somebody'].sort());
});

test('reports a missing namespace before it tries anything in it', async () => {
  await expect(findNamespace(client, 'gvien', signal)).rejects.toThrow(
    /^there is no namespace gvien: without --namespace one is made/,
  );
});

test('rights that are missing are named before anything is made', async () => {
  const config = await otherKubeconfigs(cluster.kubeconfig);
  onTestFinished(() => config.remove());
  const { users } = await kubeconfigAt(cluster.kubeconfig);
  const guest = await openClient(await config.write(users.find(({ name }) => name === 'guest')?.user));
  onTestFinished(() => guest.close());
  const found = findNamespace(guest, 'given', signal);
  await expect(found).rejects.toThrow(
    /namespace given: to create cronjobs\.batch, .*to create pods, .*to get pods\/log/,
  );
});

test('advises a user who may not create namespaces to name one', async () => {
  const config = await otherKubeconfigs(cluster.kubeconfig);
  onTestFinished(() => config.remove());
  const { users } = await kubeconfigAt(cluster.kubeconfig);
  const guest = await openClient(await config.write(users.find(({ name }) => name === 'guest')?.user));
  onTestFinished(() => guest.close());
  await expect(findNamespace(guest, undefined, signal)).rejects.toThrow(
    /^no namespace can be made here: .*guest.*\n--namespace NAME takes one that is there/s,
  );
});
