import { expect, test } from 'vitest';
import { FakeClock } from './clock.ts';
import { type Attempt, Backoff, backoffMs, retry, type TimedPolicy } from './retry.ts';

const OPTIONS = { firstMs: 100, maxMs: 1000 };

test('the wait doubles up to its limit, for any number of attempts', () => {
  const waits = [0, 1, 2, 3, 4, 5000].map((failures) => backoffMs(OPTIONS, failures, { random: () => 1 }));
  expect(waits).toEqual([100, 200, 400, 800, 1000, 1000]);
});

test('the upper half of the wait is left to chance', () => {
  expect(backoffMs(OPTIONS, 1, { random: () => 0 })).toBe(100);
  expect(backoffMs(OPTIONS, 1, { random: () => 0.5 })).toBe(150);
  expect(backoffMs({ ...OPTIONS, jitter: false }, 1, { random: () => 0 })).toBe(200);
});

test('a backoff counts failures, starts over at progress, and waits as long as the server asks', () => {
  const backoff = new Backoff({ ...OPTIONS, maxTries: 3 }, () => 1);
  expect([backoff.nextMs(), backoff.isLast, backoff.nextMs(), backoff.isLast]).toEqual([
    100,
    false,
    200,
    true,
  ]);
  backoff.reset();
  expect([backoff.failures, backoff.nextMs(750), backoff.nextMs()]).toEqual([0, 750, 200]);
});

test('a table gives exact waits, and the last one again and again', () => {
  const backoff = new Backoff({ waitsMs: [500, 1_000, 3_000], maxTries: 2 }, () => 0);
  expect(backoff.isLast).toBe(false);
  expect([backoff.nextMs(), backoff.nextMs(), backoff.nextMs(), backoff.nextMs()]).toEqual([
    500, 1_000, 3_000, 3_000,
  ]);
  expect(backoff.isLast).toBe(true);
  backoff.reset();
  expect([backoff.nextMs(), backoff.nextMs(2_500)]).toEqual([500, 2_500]);
});

type Limits = Pick<TimedPolicy, 'maxTries' | 'limitMs'>;

/** Plays the states one after another. Returns the result and the time of each attempt, in ms from the start. */
async function play(states: readonly Attempt<string>[], limits: Limits = {}, signal?: AbortSignal) {
  const clock = new FakeClock(0);
  const atMs: number[] = [];
  const seen: number[] = [];
  const next = async (failures: number) => {
    atMs.push(clock.steady());
    seen.push(failures);
    return states[atMs.length - 1]!;
  };
  const result = retry({ ...OPTIONS, ...limits }, next, { clock, random: () => 1, signal }).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  await clock.advance(60_000);
  return { result: await result, atMs, seen };
}

const failed = (error: string, afterMs?: number): Attempt<string> => ({ state: 'failed', error, afterMs });

test('failures that pass are repeated after growing waits until it is done', async () => {
  const played = await play([failed('a'), failed('b'), { state: 'done', value: 'c' }]);
  expect(played).toEqual({ result: { value: 'c' }, atMs: [0, 100, 300], seen: [0, 1, 2] });
});

test('what the server asks for counts where it is longer', async () => {
  const played = await play([failed('a', 5_000), failed('b', 1), { state: 'done', value: 'c' }]);
  expect(played.atMs).toEqual([0, 5_000, 5_200]);
});

test('progress starts the count over', async () => {
  const states = [failed('a'), { state: 'progressed' } as const, failed('b'), failed('c')];
  const played = await play([...states, { state: 'done', value: 'd' }], { maxTries: 3 });
  expect(played).toEqual({ result: { value: 'd' }, seen: [0, 1, 0, 1, 2], atMs: [0, 100, 200, 300, 500] });
});

test('it ends with the last error when the tries are exhausted, and at once with a fatal one', async () => {
  expect(await play([failed('a'), failed('b'), failed('c')], { maxTries: 2 })).toMatchObject({
    result: { error: 'b' },
    atMs: [0, 100],
  });
  expect(await play([{ state: 'fatal', error: 'x' }])).toMatchObject({ result: { error: 'x' }, atMs: [0] });
});

test('it comes to the value of the last attempt that is pending', async () => {
  const pending = (value: string) => ({ state: 'pending', value }) as const;
  expect(await play([pending('a'), pending('b'), pending('c')], { maxTries: 2 })).toMatchObject({
    result: { value: 'b' },
    atMs: [0, 100],
  });
});

test('no attempt begins once the time is over, but for one after the last wait', async () => {
  const states = Array.from({ length: 9 }, (_, index) => failed(String(index)));
  expect(await play(states, { limitMs: 300 })).toMatchObject({ result: { error: '2' }, atMs: [0, 100, 300] });
  expect(await play(states, { limitMs: 301 })).toMatchObject({
    result: { error: '3' },
    atMs: [0, 100, 300, 700],
  });
});

test('an abort ends the wait with its reason', async () => {
  expect(await play([failed('a')], {}, AbortSignal.abort('over'))).toMatchObject({
    result: { error: 'over' },
    atMs: [0],
  });
});
