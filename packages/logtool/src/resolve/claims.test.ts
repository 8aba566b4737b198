import { expect, test } from 'vitest';
import { FakeCluster } from './fake/fake-cluster.ts';
import { line, planOf } from './fake/follow.ts';
import { pod } from './fake/objects.ts';
import type { SourcePlan } from './resolve.ts';
import { resolveSources } from './resolve-sources.ts';

/** What a resolution that follows says, and of which arguments each container is, in the order of telling. */
function start(cluster: FakeCluster, plan: SourcePlan) {
  const abort = new AbortController();
  const said: string[] = [];
  const events = resolveSources(cluster.client(), plan, {
    follow: true,
    signal: abort.signal,
    onClaims: (id, given) => said.push(`${id.split('/')[1]}: ${given.join(' ')}`),
  });
  const next = async () => {
    const { value } = await events[Symbol.asyncIterator]().next();
    if (value !== undefined) said.push(line(value));
  };
  return { said, next, end: () => abort.abort() };
}

test('each container is told with the arguments that mean it, before it is told itself', async () => {
  const cluster = new FakeCluster();
  cluster.put('pods', pod('web-0', { containers: ['app', 'proxy'], labels: { app: 'web' } }));
  const sources = ['pods/web-0', 'pods/web-0/*', 'pods/web-*/app', 'pods/web-0', 'Pods/web-0'];
  const view = start(cluster, planOf(sources));
  for (let events = 0; events < 3; events++) await view.next();
  view.end();
  expect(view.said.filter((text) => text.startsWith('proxy'))).toEqual(['proxy: pods/web-0/*']);
  const app = view.said.filter((text) => text.startsWith('app:')).at(-1);
  expect(app?.split(' ').slice(1).sort()).toEqual([...new Set(sources)].sort());
  expect(view.said.findIndex((text) => text.startsWith('added'))).toBeGreaterThan(
    view.said.findLastIndex((text) => text.startsWith('app:')),
  );
});

test('a container that leaves one argument stays with the others', async () => {
  const cluster = new FakeCluster();
  cluster.put('services', {
    metadata: { name: 'api', namespace: 'shop', uid: 'api-uid' },
    spec: { selector: { app: 'web' } },
  });
  const labels = (app: string) => pod('web-0', { uid: 'web-0-uid', labels: { app } });
  cluster.put('pods', labels('web'));
  const view = start(cluster, planOf(['pods/web-*', 'services/api']));
  await view.next();
  await view.next();
  view.said.length = 0;
  cluster.put('pods', labels('other'));
  cluster.put('pods', pod('web-1'));
  await view.next();
  view.end();
  expect(view.said).toContain('app: pods/web-*');
});
