import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { collect, NO_FILTER, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { line } from '../../../../../test/support/engine/one-pod.ts';

test('grep with tail that finds nothing in much reads the rest at once, and hardly twice', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const entries = Array.from({ length: 6_000 }, (_, index) => line(`${index} `.padEnd(6_000, 'x'), index));
  cluster.addContainer(cluster.addPod('a'), 'main', [newRun('run-1', entries)]);
  const filter = { ...NO_FILTER, grep: '^7 ' };
  const served = async (searchLimitBytes: number) => {
    const before = cluster.bytesServed;
    const plan = planOf({ selection: { kind: 'tail', count: 3 } }, { filter, searchLimitBytes });
    const found = recordsOf(await collect(cluster, clock, plan)).length;
    return { found, times: (cluster.bytesServed - before) / (6_000 * 6_000) };
  };
  const whole = await served(0);
  expect(whole.found).toBe(1);
  expect(whole.times).toBeLessThan(1.5);
  const limited = await served(12_000_000);
  expect(limited.found).toBe(0);
  expect(limited.times).toBeLessThan(1);
});
