import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

const OPTIONS = { firstMs: 100, maxMs: 1000 };

test('the wait doubles up to its limit, for any number of attempts', () => {
  const waits = [0, 1, 2, 3, 4, 5000].map((attempt) => backoffMs(attempt, { ...OPTIONS, random: () => 1 }));
  expect(waits).toEqual([100, 200, 400, 800, 1000, 1000]);
});

test('the upper half of the wait is left to chance', () => {
  expect(backoffMs(1, { ...OPTIONS, random: () => 0 })).toBe(100);
  expect(backoffMs(1, { ...OPTIONS, random: () => 0.5 })).toBe(150);
});
