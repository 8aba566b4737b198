import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { collect, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, type FakeFault, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import type { EnginePlan } from '../plan/engine.ts';

const entry = (text: string, ms: number) => ({
  at: timestampFromMs(Date.UTC(2026, 10, 21, 9) + ms),
  bytes: Buffer.from(text),
  partial: false,
});

/** Reads a container that restarted, whose previous run has this fault, or answers with this status. */
async function readWith(given: FakeFault | number, plan: Partial<EnginePlan> = {}) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const before = [entry('before', 0), entry('last', 1_000)];
  const runs = [newRun('a-0', before), newRun('a-1', [entry('now', 10_000)])];
  cluster.addContainer(cluster.addPod('a'), 'main', runs);
  const fault: FakeFault = typeof given === 'number' ? { kind: 'status', status: given } : given;
  cluster.nextFault = ({ previous }) => (previous === true ? fault : undefined);
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

const HOUR_MS = 3_600_000;

test('a previous run that does not answer is given up after the time of the plan', async () => {
  const { texts, gaps, ms } = await readWith({ kind: 'delay', delayMs: HOUR_MS }, { previousMs: 700 });
  expect(texts).toEqual(['now']);
  const why = { code: 'log-silent', data: { limitMs: 700 } };
  expect(gaps).toEqual([{ code: 'previous-unreadable', data: { why } }]);
  expect(ms).toBeLessThan(3_000);
});

test('a previous run that stops in the middle is a gap between its last line and the next run', async () => {
  const stall = { kind: 'stall', afterBytes: 45, delayMs: HOUR_MS } as const;
  const { texts, gaps, ms } = await readWith(stall, { previousMs: 700 });
  expect(texts).toEqual(['before', 'now']);
  expect(gaps).toEqual([{ code: 'end-unread', data: {} }]);
  expect(ms).toBeLessThan(3_000);
});

test('a plan without that time waits', async () => {
  const { texts, gaps, ms } = await readWith({ kind: 'delay', delayMs: HOUR_MS });
  expect([texts, gaps]).toEqual([['before', 'last', 'now'], []]);
  expect(ms).toBeGreaterThan(HOUR_MS);
});
