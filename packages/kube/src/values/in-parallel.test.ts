import { expect, test } from 'vitest';
import { FakeClock, sleep } from './clock.ts';
import { asTheyCome, inParallel } from './in-parallel.ts';

test('at most this many tasks run at once, and the results are in the order of the items', async () => {
  const clock = new FakeClock();
  let running = 0;
  let most = 0;
  const results = inParallel(2, [300, 100, 200, 50], async (ms) => {
    most = Math.max(most, ++running);
    await sleep(clock, ms);
    running--;
    return ms * 2;
  });
  await clock.advance(1_000);
  expect(await results).toEqual([600, 200, 400, 100]);
  expect(most).toBe(2);
});

test('results are yielded as they come', async () => {
  const clock = new FakeClock();
  const came: number[] = [];
  const all = (async () => {
    const task = (ms: number) => sleep(clock, ms).then(() => ms);
    for await (const ms of asTheyCome(3, [300, 100, 200], task)) came.push(ms);
  })();
  await clock.advance(1_000);
  await all;
  expect(came).toEqual([100, 200, 300]);
});

test('a failure starts no more tasks and waits for those under way', async () => {
  const clock = new FakeClock();
  const [begun, ended]: [number[], number[]] = [[], []];
  const all = inParallel(2, [100, 300, 50], async (ms) => {
    begun.push(ms);
    await sleep(clock, ms);
    if (ms === 100) throw new Error('one failed');
    ended.push(ms);
  });
  const failure = all.catch((error: Error) => error.message);
  await clock.advance(1_000);
  expect(await failure).toBe('one failed');
  expect({ begun, ended }).toEqual({ begun: [100, 300], ended: [300] });
});

test('nothing to do is done at once, and a limit below one counts as one', async () => {
  expect(await inParallel(3, [], async () => 1)).toEqual([]);
  expect(await inParallel(0, [1, 2], async (one) => one + 1)).toEqual([2, 3]);
});
