import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MAX_TURN_WORK } from './match-limits.ts';
import { takeTurn } from './match-turns.ts';

let nowMs = 0;
beforeEach(async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  // A turn that begins now.
  nowMs += 1_000;
  await takeTurn(MAX_TURN_WORK);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('work continues as long as it takes no time', () => {
  for (let piece = 0; piece < 100; piece++) expect(takeTurn(MAX_TURN_WORK)).toBeUndefined();
});

test('work that takes time waits for everything else, and so does all work after it', async () => {
  nowMs += 5;
  const first = takeTurn(MAX_TURN_WORK);
  const second = takeTurn(1);
  expect([first, second]).toEqual([expect.any(Promise), expect.any(Promise)]);
  await Promise.all([first, second]);
  expect(takeTurn(1)).toBeUndefined();
});

test('of many who wait, few get the same turn, though no time has passed', async () => {
  nowMs += 5;
  const done: number[] = [];
  const all = Array.from({ length: 6 }, async (_, index) => {
    await takeTurn(MAX_TURN_WORK);
    done.push(index);
  });
  const counts: number[] = [];
  while (done.length < 6) {
    counts.push(done.length);
    await nextTurn();
  }
  await Promise.all(all);
  expect(counts.length).toBeGreaterThanOrEqual(6);
});
