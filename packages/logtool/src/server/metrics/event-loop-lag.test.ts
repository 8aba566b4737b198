import { expect, onTestFinished, test } from 'vitest';
import { measureEventLoopLag } from './event-loop-lag.ts';

const BLOCKED_MS = 200;
/** The loop is timed every 20 ms: what it was blocked for may count less by so much, never by more. */
const MIN_SECONDS = (BLOCKED_MS - 25) / 1_000;

const timers = () => new Promise((resolve) => setTimeout(resolve, 60));

test('what blocks the event loop shows, until it was taken', async () => {
  const lag = measureEventLoopLag();
  onTestFinished(() => lag.close());
  await timers();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
  await timers();
  const samples = lag.take();
  expect(samples.map(({ labels }) => labels.quantile)).toEqual(['0.5', '0.99', '1']);
  expect(samples.at(-1)?.value).toBeGreaterThan(MIN_SECONDS);
  // Nothing was timed since.
  expect(lag.take().map(({ value }) => value)).toEqual([0, 0, 0]);
});
