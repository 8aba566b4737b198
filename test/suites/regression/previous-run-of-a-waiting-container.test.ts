import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { collect, planOf, recordsOf } from '../../support/engine/collect.ts';
import { FakeCluster, newRun } from '../../support/engine/fake-cluster.ts';

function line(text: string, ms: number) {
  return { at: timestampFromMs(Date.UTC(2026, 10, 21, 9) + ms), bytes: Buffer.from(text), partial: false };
}

test.each(['tail', 'head', 'all'] as const)(
  'only the previous run of a container that waits is the one that ended last (%s)',
  async (kind) => {
    const clock = new FakeClock();
    const cluster = new FakeCluster(clock);
    const pod = cluster.addPod('looper');
    const ended = { ...newRun('looper-0', [line('run', 0), line('dying', 1000)]), ended: true };
    cluster.addContainer(pod, 'main', [ended]).state = 'waiting';
    const selection = kind === 'all' ? { kind } : { kind, count: 10 };
    const records = recordsOf(await collect(cluster, clock, planOf({ selection, previous: 'only' })));
    expect(records.map((record) => Buffer.from(record.message).toString())).toEqual(['run', 'dying']);
  },
);

test.each([
  ['tail', false],
  ['head', false],
  ['all', false],
  ['all', true],
] as const)('reports a removed previous run, and shows nothing of it (%s, raw: %s)', async (kind, raw) => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('looper');
  const before = { ...newRun('looper-0', [line('first', 0)]), ended: true, removed: true };
  const present = { ...newRun('looper-1', [line('again', 2000)]), ended: true };
  cluster.addContainer(pod, 'main', [before, present]).state = 'terminated';
  const selection = kind === 'all' ? { kind } : { kind, count: 10 };
  const asked = planOf({ selection, previous: 'only' }, { raw });
  const frames = await collect(cluster, clock, asked);
  expect(recordsOf(frames)).toEqual([]);
  expect(frames.filter(({ type }) => type === 'bytes' || type === 'notice')).toMatchObject([
    {
      type: 'notice',
      code: 'run-removed',
      data: { container: { namespace: 'default', pod: 'looper', container: 'main' } },
    },
  ]);
});
