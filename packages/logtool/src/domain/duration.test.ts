import { describe, expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

const seconds = (text: string) => {
  const result = parseDuration(text);
  return result.kind === 'duration' ? result.duration.seconds + result.duration.nanos / 1e9 : result.kind;
};

describe('ISO 8601', () => {
  test.each([
    ['PT30M', 1800],
    ['P1DT2H', 93_600],
    ['PT0.5S', 0.5],
    ['PT0,5S', 0.5],
    ['P2W', 1_209_600],
    ['PT1.5H', 5400],
    ['pt30m', 1800],
    ['PT0S', 0],
    ['P1D', 86_400],
  ])('%s', (text, expected) => expect(seconds(text)).toBe(expected));

  test('keeps nanoseconds exactly', () => {
    const duration = { seconds: 1, nanos: 123_456_789 };
    expect(parseDuration('PT1.123456789S')).toEqual({ kind: 'duration', duration });
  });

  test.each(['P1Y', 'P1M', 'P1Y2M3D', 'P1MT1M'])('%s counts years or months', (text) =>
    expect(seconds(text)).toBe('calendar'),
  );

  test.each(['P', 'PT', 'P1DT', 'PT1', 'P-1D', 'PT1D', 'PT1M30', '-PT5M', 'P1H'])(
    '%s is no duration',
    (text) => expect(seconds(text)).toBe('malformed'),
  );
});

describe("Go's form", () => {
  test.each([
    ['30m', 1800],
    ['1h30m', 5400],
    ['1.5h', 5400],
    ['.5s', 0.5],
    ['1.s', 1],
    ['250ms', 0.25],
    ['1µs', 1e-6],
    ['0', 0],
    ['90s', 90],
    ['1d', 86_400],
    ['1d12h', 129_600],
    ['2w', 1_209_600],
  ])('%s', (text, expected) => expect(seconds(text)).toBe(expected));

  test.each(['', '5', '5y', 'd', 'm', '1h 30m', '-5m', '+5m', '1h30', 'x5m', '5M', '.s'])(
    '%j is no duration',
    (text) => expect(seconds(text)).toBe('malformed'),
  );
});

test('reports a duration longer than any log as too long', () => {
  expect(seconds('PT9999999999999999999999S')).toBe('too-long');
  expect(seconds('99999999999h')).toBe('too-long');
});
