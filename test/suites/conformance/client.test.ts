import { NODES, PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, WatchEvent } from '@logtool/kube/src/client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClusterUnderTest, openCluster } from '../../support/conformance/cluster.ts';
import { container, pod, podSpec } from './pods.ts';

let cluster: ClusterUnderTest;

beforeAll(async () => {
  cluster = await openCluster();
}, 300_000);

afterAll(() => cluster?.close());

const silent = (name: string, labels: Readonly<Record<string, string>> = {}) =>
  pod(name, podSpec(cluster.pods, [container('app', { lines: [] }, cluster.pods)]), labels);

async function names(query: { readonly labelSelector?: string; readonly fieldSelector?: string }) {
  const found: string[] = [];
  for await (const page of cluster.client.list(PODS, { namespace: cluster.namespace, ...query })) {
    found.push(...page.items.map((item) => item.metadata.name));
  }
  return found.sort();
}

test('discovery names the resources that logs are found by', async () => {
  const resources = await cluster.client.discover();
  for (const wanted of [
    'pods',
    'deployments',
    'replicasets',
    'statefulsets',
    'daemonsets',
    'jobs',
    'cronjobs',
  ]) {
    expect(resources.map((resource) => resource.plural)).toContain(wanted);
  }
});

test('lists follow label and field selectors', async () => {
  await cluster.create(silent('red-1', { color: 'red' }));
  await cluster.create(silent('red-2', { color: 'red' }));
  await cluster.create(silent('blue-1', { color: 'blue' }));
  expect(await names({ labelSelector: 'color=red' })).toEqual(['red-1', 'red-2']);
  expect(await names({ labelSelector: 'color in (red,blue),color!=blue' })).toEqual(['red-1', 'red-2']);
  expect(await names({ fieldSelector: 'metadata.name=blue-1' })).toEqual(['blue-1']);
});

test("a missing object is not-found, with the server's message", async () => {
  const absent = cluster.client.get(PODS, { namespace: cluster.namespace, name: 'absent' });
  await expect(absent).rejects.toMatchObject({ kind: 'not-found', message: 'pods "absent" not found' });
});

test('returns only metadata on request', async () => {
  await cluster.create(silent('bare'));
  const found = await cluster.client.getMetadata(PODS, { namespace: cluster.namespace, name: 'bare' });
  expect(found.metadata.name).toBe('bare');
  expect(found).not.toHaveProperty('spec');
});

test('a watch reports creation and deletion', async () => {
  const stop = new AbortController();
  let resourceVersion = '';
  for await (const page of cluster.client.list(PODS, { namespace: cluster.namespace })) {
    resourceVersion = page.resourceVersion;
  }
  await cluster.create(silent('watched'));
  const seen: string[] = [];
  const query = { namespace: cluster.namespace, resourceVersion };
  const events: AsyncIterable<WatchEvent<KubeObject>> = cluster.client.watch(PODS, query, {
    signal: stop.signal,
  });
  for await (const event of events) {
    if (event.type === 'BOOKMARK' || event.object.metadata.name !== 'watched') continue;
    if (event.type !== 'MODIFIED') seen.push(event.type);
    if (event.type === 'ADDED') {
      await cluster.client.delete(PODS, { namespace: cluster.namespace, name: 'watched' });
    }
    if (event.type === 'DELETED') break;
  }
  stop.abort();
  expect(seen).toEqual(['ADDED', 'DELETED']);
}, 300_000);

test('an access review returns the permissions', async () => {
  const ask = { verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace: cluster.namespace };
  expect(await cluster.client.review(ask)).toBe(true);
});

test('a container that has not started is a bad request with its reason', async () => {
  const image = { ...cluster.pods, image: 'registry.invalid/absent:1', imagePullPolicy: undefined };
  await cluster.create(pod('waits', podSpec(image, [container('app', { lines: [''], exit: {} }, image)])));
  await cluster.until(
    PODS,
    'waits',
    (seen) => seen.status?.containerStatuses?.[0]?.state.waiting !== undefined,
  );
  const log = cluster.client.log({ namespace: cluster.namespace, pod: 'waits', container: 'app' });
  await expect(log).rejects.toMatchObject({ kind: 'bad-request' });
}, 300_000);

test('nodes are listed where the user may', async () => {
  const may = await cluster.client.review({ verb: 'list', group: '', resource: 'nodes' });
  const list = async () => {
    for await (const page of cluster.client.list(NODES, {})) if (page.items.length > 0) return 'some';
    return 'none';
  };
  if (may) expect(await list()).toBe('some');
  else await expect(list()).rejects.toMatchObject({ kind: 'forbidden' });
});
