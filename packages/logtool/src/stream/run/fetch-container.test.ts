import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { collect, planOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster } from '../../../../../test/support/engine/fake-cluster.ts';

test('a pod that its node does not know yet is waited for, and is no failure', async () => {
  for (const selection of [
    { kind: 'all' },
    { kind: 'head', count: 5 },
    { kind: 'tail', count: 5 },
  ] as const) {
    for (const raw of [true, false]) {
      const clock = new FakeClock();
      const cluster = new FakeCluster(clock);
      const pod = cluster.addPod('fresh', { phase: 'Pending' });
      pod.containers.push({ name: 'main', runs: [], state: 'waiting' });
      cluster.nextFault = () => ({ kind: 'status', status: 404 });
      const frames = await collect(cluster, clock, planOf({ selection }, { raw }));
      const reported = frames.flatMap((frame) => (frame.type === 'source' ? [frame.state] : []));
      expect(reported, JSON.stringify({ selection, raw })).toEqual(['waiting']);
    }
  }
});
