import { formatTimestamp, parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { describe, expect, test } from 'vitest';
import { parseTimePoint } from './time-point.ts';

const now = { seconds: Date.UTC(2026, 10, 21, 10) / 1000, nanos: 250_000_000 };
const read = (text: string, durations = true, cursors = false) => {
  const point = parseTimePoint(text, { now, durations, cursors });
  if (point.kind === 'time') return formatTimestamp(point.at);
  return point.kind === 'bad' ? point.reason : point;
};

describe('a timestamp with a zone', () => {
  test.each([
    ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000000000Z'],
    ['2026-11-21T10:00:00+01:00', '2026-11-21T09:00:00.000000000Z'],
    ['2026-11-21T10:00:00+0100', '2026-11-21T09:00:00.000000000Z'],
    ['2026-11-21T10:00:00-05', '2026-11-21T15:00:00.000000000Z'],
    ['2026-11-21T10:00Z', '2026-11-21T10:00:00.000000000Z'],
    ['2026-11-21 10:00:00.5Z', '2026-11-21T10:00:00.500000000Z'],
    ['2026-11-21T10:00:00.123456789+05:30', '2026-11-21T04:30:00.123456789Z'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));
});

describe('a duration before now', () => {
  test.each([
    ['PT30M', '2026-11-21T09:30:00.250000000Z'],
    ['30m', '2026-11-21T09:30:00.250000000Z'],
    ['PT0.5S', '2026-11-21T09:59:59.750000000Z'],
    ['P1DT2H', '2026-11-20T08:00:00.250000000Z'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));

  test('says its length where that is whole seconds', () => {
    expect(parseTimePoint('1h', { now, durations: true, cursors: false })).toMatchObject({
      agoSeconds: 3600,
    });
    expect(parseTimePoint('1.5s', { now, durations: true, cursors: false })).not.toHaveProperty('agoSeconds');
  });
});

test('a cursor where the flag takes one', () => {
  const at = parseTimestamp('2026-11-21T10:00:00Z');
  expect(read('2026-11-21T10:00:00Z~2', false, true)).toEqual({ kind: 'cursor', cursor: { at, shown: 2 } });
});

describe('distinguishes the mistakes', () => {
  test.each([
    ['2026-11-21T10:00:00', 'no-zone'],
    ['2026-11-21T10:00', 'no-zone'],
    ['2026-11-21', 'date-only'],
    ['P1M', 'calendar-duration'],
    ['1y', 'malformed'],
    ['-PT5M', 'negative-duration'],
    ['-5m', 'negative-duration'],
    ['2026-11-21T10:00:00Z~1', 'cursor-not-allowed'],
    ['2026-11-21T10:00:00Z~x', 'malformed'],
    ['2026-02-30T10:00:00Z', 'malformed'],
    ['2026-11-21T25:00:00Z', 'malformed'],
    ['0000-01-01T00:00:00Z', 'out-of-range'],
    ['P999999D', 'out-of-range'],
    ['99999999999h', 'out-of-range'],
    ['yesterday', 'malformed'],
    ['', 'malformed'],
  ])('%j: %s', (text, reason) => expect(read(text)).toBe(reason));

  test('a duration where none is taken', () =>
    expect(read('PT5M', false, true)).toBe('duration-not-allowed'));
});
