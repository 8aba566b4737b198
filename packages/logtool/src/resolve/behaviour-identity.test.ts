import { InProcessCluster } from '@logtool/simcluster/test/support/in-process-cluster.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Following, line, planOf, resolveOnce } from '../../../../test/support/resolve/follow.ts';
import { node, pod, workload } from '../../../../test/support/resolve/objects.ts';
import { readPlacement } from './placement/node-labels.ts';

let cluster: InProcessCluster;
let following: Following | undefined;

beforeEach(() => {
  cluster = new InProcessCluster();
});

afterEach(async () => {
  await following?.end();
  following = undefined;
});

const follow = (sources: readonly string[]) => {
  following = new Following(cluster.client(), planOf(sources));
  return following;
};
const linesOf = async (sources: readonly string[]) =>
  (await resolveOnce(cluster.client(), planOf(sources))).map(line);

test('an owner is the one of that UID: another object of its name owns none of the pods', async () => {
  const root = workload('apps/v1', 'Deployment', 'web');
  const labels = { app: 'web' };
  const gone = workload('apps/v1', 'ReplicaSet', 'web-1', { labels, uid: 'gone', owner: root });
  const again = workload('apps/v1', 'ReplicaSet', 'web-1', { labels, uid: 'again', owner: root });
  cluster.put('deployments', root);
  cluster.put('replicasets', again);
  cluster.put('pods', pod('web-1-old', { labels, owner: gone }));
  cluster.put('pods', pod('web-1-new', { labels, owner: again }));
  expect(await linesOf(['deployments/web'])).toEqual(['added shop/web-1-new/app', 'synced open']);
});

test('a root is the one of that UID: pods of another object of its name are not its own', async () => {
  const gone = workload('apps/v1', 'StatefulSet', 'db', { uid: 'gone' });
  const again = workload('apps/v1', 'StatefulSet', 'db', { uid: 'again' });
  cluster.put('statefulsets', again);
  cluster.put('pods', pod('db-0', { labels: { app: 'db' }, owner: gone }));
  cluster.put('pods', pod('db-1', { labels: { app: 'db' }, owner: again }));
  expect(await linesOf(['statefulsets/db'])).toEqual(['added shop/db-1/app', 'synced open']);
});

describe('a Service that is made again under its name', () => {
  const service = (uid: string, selector: Record<string, string> | undefined) =>
    workload('v1', 'Service', 'web', { uid, spec: { selector } });

  beforeEach(() => {
    cluster.put('pods', pod('old-0', { labels: { app: 'old' } }));
    cluster.put('services', service('first', { app: 'old' }));
  });

  test('selects by its own selector', async () => {
    const events = follow(['services/web']);
    expect(await events.lines(2)).toEqual(['added shop/old-0/app', 'synced open']);
    cluster.remove('services', 'shop', 'web');
    cluster.put('services', service('second', { app: 'new' }));
    expect(await events.line()).toBe('gone shop/old-0/app');
    cluster.put('pods', pod('old-1', { labels: { app: 'old' } }));
    cluster.put('pods', pod('new-1', { labels: { app: 'new' } }));
    expect(await events.line()).toBe('added shop/new-1/app');
  });

  test('without a selector it has no pods: the old selector is gone', async () => {
    const events = follow(['services/web']);
    expect(await events.lines(2)).toEqual(['added shop/old-0/app', 'synced open']);
    cluster.remove('services', 'shop', 'web');
    cluster.put('services', service('second', undefined));
    expect(await events.line()).toBe('gone shop/old-0/app');
  });

  test.each(['deleted and made', 'seen in a new list'])('also where a glob means it: %s', async (how) => {
    const events = follow(['services/w*']);
    expect(await events.lines(2)).toEqual(['added shop/old-0/app', 'synced open']);
    cluster.put('pods', pod('new-0', { labels: { app: 'new' } }));
    const second = service('second', { app: 'new' });
    if (how === 'deleted and made') {
      cluster.remove('services', 'shop', 'web');
      expect(await events.line()).toBe('gone shop/old-0/app');
      cluster.put('services', second);
      expect(await events.line()).toBe('added shop/new-0/app');
    } else {
      cluster.send('services', { type: 'snapshot', objects: [second] });
      expect([...(await events.lines(2))].sort()).toEqual(['added shop/new-0/app', 'gone shop/old-0/app']);
    }
  });
});

test('a pod that was named is followed by its UID: another pod of its name does not join', async () => {
  const first = pod('web-0', { uid: 'first' });
  cluster.put('pods', first);
  const events = follow(['web-0', 'pods/db-*']);
  expect(await events.lines(3)).toEqual(['notice no-pods', 'added shop/web-0/app', 'synced open']);
  cluster.remove('pods', 'shop', 'web-0');
  expect(await events.line()).toBe('gone shop/web-0/app');
  cluster.put('pods', pod('web-0', { uid: 'second' }));
  cluster.put('pods', pod('db-0'));
  expect(await events.line()).toBe('added shop/db-0/app');
});

test('a label of today wins over its beta name, for each of them', async () => {
  const labels = {
    'topology.kubernetes.io/zone': 'zone',
    'failure-domain.beta.kubernetes.io/zone': 'old zone',
    'failure-domain.beta.kubernetes.io/region': 'old region',
    'topology.kubernetes.io/region': 'region',
    'kubernetes.io/os': 'os',
    'beta.kubernetes.io/os': 'old os',
    'beta.kubernetes.io/arch': 'old arch',
    'kubernetes.io/arch': 'arch',
  };
  expect(readPlacement(labels)).toEqual({ region: 'region', zone: 'zone', os: 'os', arch: 'arch' });
  cluster.put('nodes', node('node-0', labels));
  cluster.put('pods', pod('web-0', { node: 'node-0' }));
  const zones = async (zone: string) =>
    (await resolveOnce(cluster.client(), planOf(['pods/*'], { zones: [zone] }))).map(line)[0];
  expect(await zones('zone')).toBe('added shop/web-0/app');
  expect(await zones('old zone')).toBe('failed filter-leaves-none');
});
