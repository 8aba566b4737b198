import { expect, test } from 'vitest';
import { FakeClock } from '../../src/domain/clock.ts';
import { timestampFromMs } from '../../src/domain/timestamp.ts';
import { collect, planOf, recordsOf } from '../stream/collect.ts';
import { FakeCluster, newRun } from '../stream/fake-cluster.ts';

function line(text: string, ms: number) {
  return { at: timestampFromMs(Date.UTC(2026, 10, 21, 9) + ms), bytes: Buffer.from(text), partial: false };
}

test.each(['tail', 'head', 'all'] as const)(
  'the previous run alone of a container that waits is the one that ended last (%s)',
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
