import { InProcessCluster } from '@logtool/simcluster/test/support/in-process-cluster.ts';
import { expect, test } from 'vitest';
import { line, planOf } from '../../../../test/support/resolve/follow.ts';
import { pod } from '../../../../test/support/resolve/objects.ts';
import type { SourcePlan } from './resolve.ts';
import { resolveSources } from './resolve-sources.ts';

/** Starts a resolution that follows, and returns its events and the arguments of each container, in order. */
function start(cluster: InProcessCluster, plan: SourcePlan) {
  const abort = new AbortController();
  const reports: string[] = [];
  const events = resolveSources(cluster.client(), plan, {
    follow: true,
    signal: abort.signal,
    onClaims: (id, given) => reports.push(`${id.split('/')[1]}: ${given.join(' ')}`),
  });
  const next = async () => {
    const { value } = await events[Symbol.asyncIterator]().next();
    if (value !== undefined) reports.push(line(value));
  };
  return { reports, next, end: () => abort.abort() };
}

test('reports the arguments that mean a container before the container itself', async () => {
  const cluster = new InProcessCluster();
  cluster.put('pods', pod('web-0', { containers: ['app', 'proxy'], labels: { app: 'web' } }));
  const sources = ['pods/web-0', 'pods/web-0/*', 'pods/web-*/app', 'pods/web-0', 'Pods/web-0'];
  const view = start(cluster, planOf(sources));
  for (let events = 0; events < 3; events++) await view.next();
  view.end();
  expect(view.reports.filter((text) => text.startsWith('proxy'))).toEqual(['proxy: pods/web-0/*']);
  const app = view.reports.filter((text) => text.startsWith('app:')).at(-1);
  expect(app?.split(' ').slice(1).sort()).toEqual([...new Set(sources)].sort());
  expect(view.reports.findIndex((text) => text.startsWith('added'))).toBeGreaterThan(
    view.reports.findLastIndex((text) => text.startsWith('app:')),
  );
});

test('a container that leaves one argument stays with the others', async () => {
  const cluster = new InProcessCluster();
  cluster.put('services', {
    metadata: { name: 'api', namespace: 'shop', uid: 'api-uid' },
    spec: { selector: { app: 'web' } },
  });
  const labels = (app: string) => pod('web-0', { uid: 'web-0-uid', labels: { app } });
  cluster.put('pods', labels('web'));
  const view = start(cluster, planOf(['pods/web-*', 'services/api']));
  await view.next();
  await view.next();
  view.reports.length = 0;
  cluster.put('pods', labels('other'));
  cluster.put('pods', pod('web-1'));
  await view.next();
  view.end();
  expect(view.reports).toContain('app: pods/web-*');
});
