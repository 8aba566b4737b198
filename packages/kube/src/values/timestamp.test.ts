import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareTimestamps,
  earliestTime,
  formatTimestamp,
  latestTime,
  parseTimestamp,
  timestampFromMs,
  timestampToMs,
} from './timestamp.ts';

test('keeps all nine digits', () => {
  expect(parseTimestamp('2026-11-21T10:00:00.123456789Z')).toEqual({
    seconds: 1795255200,
    nanos: 123456789,
  });
});

test.each([
  ['2026-11-21T15:30:00.5+05:30', '2026-11-21T10:00:00.500000000Z'],
  ['2026-11-21T02:00:00-08:00', '2026-11-21T10:00:00.000000000Z'],
  ['2026-11-21t10:00:00z', '2026-11-21T10:00:00.000000000Z'],
  ['1969-12-31T23:59:59.000000001Z', '1969-12-31T23:59:59.000000001Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000000Z'],
])('reads %s as %s', (text, utc) => {
  const at = parseTimestamp(text);
  expect(at && formatTimestamp(at)).toBe(utc);
});

test.each([
  '2026-11-21T10:00:00', // no zone designator
  '2026-11-21',
  '2026-02-30T10:00:00Z',
  '2026-13-01T10:00:00Z',
  '2026-11-21T24:00:00Z',
  '2026-11-21T10:60:00Z',
  '2026-11-21T10:00:00+24:00',
  '2026-11-21 10:00:00Z',
  '',
])('refuses %j', (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});

test('writing and reading is lossless, and the text order is the time order', () => {
  const timestamps = fc.record({
    seconds: fc.integer({ min: 0, max: 4_102_444_800 }),
    nanos: fc.integer({ min: 0, max: 999_999_999 }),
  });
  fc.assert(
    fc.property(timestamps, timestamps, (a, b) => {
      expect(parseTimestamp(formatTimestamp(a))).toEqual(a);
      expect(formatTimestamp(a)).toHaveLength(30);
      const byText =
        formatTimestamp(a) < formatTimestamp(b) ? -1 : formatTimestamp(a) > formatTimestamp(b) ? 1 : 0;
      expect(Math.sign(compareTimestamps(a, b))).toBe(byText);
    }),
  );
});

test('milliseconds go in and out', () => {
  expect(timestampFromMs(1_795_255_200_123)).toEqual({ seconds: 1795255200, nanos: 123_000_000 });
  expect(timestampToMs({ seconds: 1795255200, nanos: 123_999_999 })).toBe(1_795_255_200_123);
});

test('the earliest and the latest of times differ by a nanosecond, wherever they stand', () => {
  const [first, middle, last] = [
    { seconds: 9, nanos: 999_999_999 },
    { seconds: 10, nanos: 0 },
    { seconds: 10, nanos: 1 },
  ] as const;
  for (const times of [
    [first, middle, last],
    [last, middle, first],
    [middle, first, last],
  ]) {
    expect(earliestTime(times)).toBe(first);
    expect(latestTime(times)).toBe(last);
  }
});

test('of one time it is the earliest and the latest, of none there is neither', () => {
  const only = { seconds: -1, nanos: 5 };
  expect([earliestTime([only]), latestTime([only])]).toEqual([only, only]);
  const none: readonly (typeof only)[] = [];
  expect([earliestTime(none), latestTime(none)]).toEqual([undefined, undefined]);
});
