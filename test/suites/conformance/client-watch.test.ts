import { CONFIG_MAPS, PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ReflectorEvent } from '@logtool/kube/src/client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClusterUnderTest, openCluster } from '../../support/conformance/cluster.ts';

let cluster: ClusterUnderTest;

beforeAll(async () => {
  cluster = await openCluster();
}, 300_000);

afterAll(() => cluster?.close());

const make = (name: string, labels: Readonly<Record<string, string>>) =>
  cluster.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });
const remove = (name: string) => cluster.client.delete(CONFIG_MAPS, { namespace: cluster.namespace, name });
const selected = (label: string) => ({ namespace: cluster.namespace, labelSelector: `of=${label}` });

/** Returns the events of one watch, up to the deletion of this name. */
async function eventsUntilGone(resourceVersion: string, label: string, name: string): Promise<string[]> {
  const stop = new AbortController();
  const seen: string[] = [];
  const query = { ...selected(label), resourceVersion };
  for await (const event of cluster.client.watch<KubeObject>(CONFIG_MAPS, query, { signal: stop.signal })) {
    if (event.type === 'BOOKMARK') continue;
    seen.push(`${event.type} ${event.object.metadata.name}`);
    if (event.type === 'DELETED' && event.object.metadata.name === name) break;
  }
  stop.abort();
  return seen;
}

test('a watch that begins where another stood has all that came since, once', async () => {
  const first = await make('one', { of: 'resume' });
  const second = await make('two', { of: 'resume' });
  await remove('one');
  await remove('two');
  const all = ['ADDED two', 'DELETED one', 'DELETED two'];
  expect(await eventsUntilGone(first.metadata.resourceVersion, 'resume', 'two')).toEqual(all);
  expect(await eventsUntilGone(second.metadata.resourceVersion, 'resume', 'two')).toEqual(all.slice(1));
}, 300_000);

test('a watch from too long ago is gone', async () => {
  const watch = async () => {
    const query = { namespace: cluster.namespace, resourceVersion: '1' };
    for await (const event of cluster.client.watch(PODS, query)) {
      if (event.type !== 'BOOKMARK') return event.type;
    }
    return 'ended';
  };
  await expect(watch()).rejects.toMatchObject({ kind: 'gone' });
}, 300_000);

test('a reflector returns what exists, then every change', async () => {
  await make('early', { of: 'reflected' });
  const stop = new AbortController();
  const seen: string[] = [];
  const events: AsyncIterable<ReflectorEvent<KubeObject>> = cluster.client.reflect(
    CONFIG_MAPS,
    selected('reflected'),
    { signal: stop.signal },
  );
  for await (const event of events) {
    if (event.type === 'snapshot') {
      seen.push(`snapshot ${event.objects.map(({ metadata }) => metadata.name).join()}`);
      await make('late', { of: 'reflected' });
    }
    if (event.type === 'changed') {
      seen.push(`changed ${event.object.metadata.name}`);
      await remove('early');
    }
    if (event.type === 'deleted') {
      seen.push(`deleted ${event.object.metadata.name}`);
      break;
    }
  }
  stop.abort();
  expect(seen).toEqual(['snapshot early', 'changed late', 'deleted early']);
}, 300_000);
