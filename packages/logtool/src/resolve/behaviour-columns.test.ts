import { InProcessCluster } from '@logtool/simcluster/src/testing/in-process-cluster.ts';
import { expect, test } from 'vitest';
import { columnOf, NODE_COLUMNS, SOURCE_COLUMNS } from '../domain/columns.ts';
import { currentRunId } from '../domain/container.ts';
import { planOf, resolveOnce } from './testing/follow.ts';
import { node, pod } from './testing/objects.ts';

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

test('each column of a container has a value if its pod and node have one', async () => {
  const events = await resolveOnce(
    fullCluster().client(),
    planOf(['pods/web-0'], { placement: NODE_COLUMNS }),
  );
  const [target] = events.flatMap((event) => (event.type === 'added' ? [event.target] : []));
  if (target === undefined) throw new Error('no container');
  const values = SOURCE_COLUMNS.map((name) => [name, columnOf(name).value(target, currentRunId(target))]);
  expect(values.length).toBeGreaterThan(7);
  expect(values.filter(([, value]) => value === undefined || value === '')).toEqual([]);
});
