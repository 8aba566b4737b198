import { expect, test } from 'vitest';
import { FirstReads } from './first-reads.ts';

test('stops waiting for a turn once the signal is aborted, before or after', async () => {
  const reason = new Error('the client left');
  const early = new FirstReads(AbortSignal.abort(reason));
  const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => early.begin()));
  expect(new Set(outcomes.map((outcome) => 'reason' in outcome && outcome.reason))).toEqual(
    new Set([reason]),
  );
  const controller = new AbortController();
  const reads = new FirstReads(controller.signal);
  const waiting = Promise.allSettled(Array.from({ length: 200 }, () => reads.begin()));
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort(reason);
  await waiting;
  await expect(reads.begin()).rejects.toBe(reason);
});
