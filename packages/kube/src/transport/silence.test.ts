import { expect, test } from 'vitest';
import { FakeClock } from '../values/clock.ts';
import { CHECK_INTERVAL_MS, PING_TIMEOUT_MS, SILENCE_MS, watchSilence } from './silence.ts';

function watch({ answers = false } = {}) {
  const clock = new FakeClock();
  const it = { bytes: 0, isStuck: false, asked: 0, deaths: [] as unknown[], stop: () => {} };
  it.stop = watchSilence({
    clock,
    bytesRead: () => it.bytes,
    isStuck: () => it.isStuck,
    ask(onAnswer) {
      it.asked++;
      if (!answers) return;
      it.bytes++;
      onAnswer();
    },
    onDead: (error) => it.deaths.push(error),
  });
  return { clock, it };
}

test('a connection that does not send its data is dead', async () => {
  const { clock, it } = watch();
  it.isStuck = true;
  await clock.advance(CHECK_INTERVAL_MS);
  expect(it.deaths).toEqual([]);
  await clock.advance(CHECK_INTERVAL_MS);
  expect(it.deaths).toEqual([expect.objectContaining({ code: 'ECONNRESET' })]);
  expect(clock.pending).toBe(0);
});

test('neither data about to be sent at a check nor a connection that receives is stuck', async () => {
  const { clock, it } = watch();
  for (let round = 0; round < 10; round++) {
    it.isStuck = round % 2 === 0;
    await clock.advance(CHECK_INTERVAL_MS);
  }
  it.isStuck = true;
  for (let round = 0; round < 10; round++) {
    it.bytes++;
    await clock.advance(CHECK_INTERVAL_MS);
  }
  expect(it.deaths).toEqual([]);
});

test('a silent connection is asked soon and once more, and is dead without an answer', async () => {
  const { clock, it } = watch();
  await clock.advance(CHECK_INTERVAL_MS);
  expect(it.asked).toBe(0);
  await clock.advance(SILENCE_MS - CHECK_INTERVAL_MS - 1);
  expect(it.asked).toBe(1);
  await clock.advance(PING_TIMEOUT_MS);
  expect([it.asked, it.deaths]).toEqual([2, []]);
  await clock.advance(1);
  expect(it.deaths).toEqual([expect.objectContaining({ code: 'ETIMEDOUT' })]);
  await clock.advance(SILENCE_MS * 3);
  expect([it.asked, it.deaths.length]).toEqual([2, 1]);
});

test('one that has nothing to say but answers is asked from time to time', async () => {
  const { clock, it } = watch({ answers: true });
  await clock.advance(SILENCE_MS * 10);
  expect(it.deaths).toEqual([]);
  expect(it.asked).toBeGreaterThan(8);
  expect(it.asked).toBeLessThan(12);
});

test('any byte ends a silence, and nothing is asked of one that is not watched', async () => {
  const { clock, it } = watch();
  for (let round = 0; round < 3; round++) {
    await clock.advance(SILENCE_MS + PING_TIMEOUT_MS - CHECK_INTERVAL_MS);
    it.bytes++;
    await clock.advance(CHECK_INTERVAL_MS);
  }
  expect([it.asked, it.deaths]).toEqual([6, []]);
  it.stop();
  await clock.advance(SILENCE_MS * 3);
  expect([it.asked, it.deaths]).toEqual([6, []]);
});
