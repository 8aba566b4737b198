import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { collect, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import type { EnginePlan } from '../plan/engine.ts';

const entry = (text: string, ms: number) => ({
  at: timestampFromMs(Date.UTC(2026, 10, 21, 9) + ms),
  bytes: Buffer.from(text),
  partial: false,
});

/** Reads a container that restarted, whose previous run answers with this status. */
async function readWith(status: number, plan: Partial<EnginePlan> = {}) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const runs = [newRun('a-0', [entry('before', 0)]), newRun('a-1', [entry('now', 10_000)])];
  cluster.addContainer(cluster.addPod('a'), 'main', runs);
  cluster.nextFault = ({ previous }) => (previous === true ? { kind: 'status', status } : undefined);
  const begun = clock.now();
  const frames = await collect(cluster, clock, planOf({}, plan));
  return {
    texts: recordsOf(frames).map(({ message }) => Buffer.from(message).toString()),
    gaps: frames.flatMap((frame) => (frame.type === 'gap' ? [frame.cause] : [])),
    ms: clock.now() - begun,
  };
}

test.each([404, 410, 500, 503])(
  'a previous run that is answered with %i is a gap with that answer, before the current run',
  async (status) => {
    const { texts, gaps } = await readWith(status);
    expect(texts).toEqual(['now']);
    expect(gaps).toEqual([{ code: 'previous-unreadable', data: { why: expect.stringMatching(/.+/) } }]);
  },
);

test('a failure is repeated only as long as the plan says', async () => {
  const patient = await readWith(500);
  const brief = await readWith(500, { retryMs: 1_000 });
  expect(brief.texts).toEqual(['now']);
  expect(brief.gaps).toEqual(patient.gaps);
  expect(brief.ms).toBeLessThan(3_000);
  expect(patient.ms).toBeGreaterThan(5_000);
});
