import { InProcessCluster } from '@logtool/simcluster/test/support/in-process-cluster.ts';
import { expect, test } from 'vitest';
import { Following, planOf, resolveOnce } from '../../../../test/support/resolve/follow.ts';
import { node, pod } from '../../../../test/support/resolve/objects.ts';
import { columnOf, NODE_COLUMNS, SOURCE_COLUMNS } from '../domain/columns.ts';
import { currentRunId } from '../domain/container.ts';
import type { ResolveEvent } from '../domain/resolve-event.ts';

/** Everything from which a column is read, on the pod and on its node. */
function fullCluster(): InProcessCluster {
  const cluster = new InProcessCluster();
  cluster.put(
    'nodes',
    node('node-0', {
      'topology.kubernetes.io/region': 'eu',
      'topology.kubernetes.io/zone': 'eu-a',
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'arm64',
    }),
  );
  cluster.put('pods', pod('web-0', { node: 'node-0' }));
  return cluster;
}

/** Returns the columns without a value. */
function emptyColumns(event: ResolveEvent | undefined): readonly string[] {
  if (event?.type !== 'added') throw new Error('no container');
  const { target } = event;
  return SOURCE_COLUMNS.filter((name) => !columnOf(name).value(target, currentRunId(target)));
}

test.each(['pods/web-0', 'pods/*'])(
  'each column of a container of %s has a value if its pod and node have one',
  async (source) => {
    const plan = planOf([source], { placement: NODE_COLUMNS });
    const events = await resolveOnce(fullCluster().client(), plan);
    expect(SOURCE_COLUMNS.length).toBeGreaterThan(7);
    expect(emptyColumns(events.find(({ type }) => type === 'added'))).toEqual([]);
  },
);

test('each column of a followed container has a value, also of a pod that comes later', async () => {
  const cluster = fullCluster();
  const following = new Following(cluster.client(), planOf(['pods/*'], { placement: NODE_COLUMNS }));
  expect(emptyColumns(await following.next())).toEqual([]);
  expect(await following.line()).toBe('synced open');
  cluster.put('pods', pod('web-1', { node: 'node-0' }));
  expect(emptyColumns(await following.next())).toEqual([]);
  await following.end();
});
