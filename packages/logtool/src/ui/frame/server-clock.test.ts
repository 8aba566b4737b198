import { expect, test } from 'vitest';
import { ServerClock } from './server-clock.ts';

const SERVER_MS = Date.parse('2027-01-15T08:00:00.400Z');
/** As a server writes its time: without the fraction. */
const DATE = 'Fri, 15 Jan 2027 08:00:00 GMT';
const MINUTE_MS = 60_000;

/** A browser whose clock is ahead of the server's, after one answer that took 40 ms. */
function clockAhead(aheadMs: number): ServerClock {
  const browserMs = SERVER_MS + aheadMs;
  const clock = new ServerClock(() => browserMs);
  clock.note(DATE, browserMs - 20, browserMs + 20);
  return clock;
}

test.each([10 * MINUTE_MS, -10 * MINUTE_MS, 3_000, -3_000])(
  'a browser that is %i ms ahead has the time of the server to half a second',
  (aheadMs) => {
    const clock = clockAhead(aheadMs);
    expect(Math.abs(clock.aheadMs - aheadMs)).toBeLessThanOrEqual(520);
    expect(Math.abs(clock.nowMs() - SERVER_MS)).toBeLessThanOrEqual(520);
    expect(clock.firstAheadMs).toBe(clock.aheadMs);
  },
);

test.each([0, 300, -300])('a difference of %i ms, less than a header shows, is none', (aheadMs) => {
  expect(clockAhead(aheadMs).aheadMs).toBe(0);
});

test('a slow answer says nothing against what is known', () => {
  const clock = clockAhead(10 * MINUTE_MS);
  const before = clock.aheadMs;
  const browserMs = SERVER_MS + 10 * MINUTE_MS;
  clock.note(DATE, browserMs - 30_000, browserMs + 30_000);
  expect(clock.aheadMs).toBe(before);
});

test('a clock that is set right is noticed, and the first difference stays known', () => {
  const clock = clockAhead(10 * MINUTE_MS);
  const first = clock.aheadMs;
  let changes = 0;
  const stop = clock.subscribe(() => changes++);
  clock.note(DATE, SERVER_MS - 20, SERVER_MS + 20);
  expect(Math.abs(clock.aheadMs)).toBeLessThanOrEqual(520);
  expect([changes, clock.firstAheadMs]).toEqual([1, first]);
  clock.note(DATE, SERVER_MS - 20, SERVER_MS + 20);
  expect(changes).toBe(1);
  stop();
});

test.each([null, '', 'yesterday'])('the header %j shows nothing', (date) => {
  const clock = new ServerClock(() => SERVER_MS);
  clock.note(date, SERVER_MS, SERVER_MS);
  expect([clock.aheadMs, clock.nowMs()]).toEqual([0, SERVER_MS]);
});
