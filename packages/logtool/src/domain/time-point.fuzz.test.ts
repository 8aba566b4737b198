import { compareTimestamps, formatTimestamp, parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileText } from '../../../../test/support/fuzz/hostile-text.ts';
import { FUZZ, FUZZED } from '../../../../test/support/fuzz/seed.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import { parseDuration } from './duration.ts';
import { parseTimePoint } from './time-point.ts';

const now = { seconds: Date.UTC(2026, 10, 21, 10) / 1000, nanos: 250_000_000 };
const digits = fc.oneof(
  { weight: 5, arbitrary: fc.stringMatching(/^\d{1,4}$/) },
  fc.stringMatching(/^\d{15,40}$/),
);
/** Mostly valid values. */
const mostly = (good: fc.Arbitrary<string>, odd: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: odd });
const goUnit = mostly(
  fc.constantFrom('ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'd', 'w'),
  fc.constantFrom('y', 'H', '', 'x', '.5'),
);
const goForm = fc.array(fc.tuple(digits, goUnit), { maxLength: 4 }).map((pieces) => pieces.flat().join(''));
const isoForm = fc
  .array(fc.option(digits, { nil: undefined }), { minLength: 7, maxLength: 7 })
  .map((counts) => {
    const field = (from: number, units: string) =>
      [...units]
        .map((unit, at) => (counts[from + at] === undefined ? '' : `${counts[from + at]}${unit}`))
        .join('');
    return `P${field(0, 'WD')}T${field(2, 'HMS')}${field(5, 'YM')}`.replace(/T$/, '');
  });
const duration = fc
  .tuple(
    mostly(fc.constant(''), fc.constantFrom('-', '+', 'P')),
    fc.oneof(goForm, isoForm),
    mostly(fc.constant(''), hostileText),
  )
  .map((pieces) => pieces.join(''));
const two = mostly(fc.stringMatching(/^[01]\d$/), fc.stringMatching(/^\d\d$/));
const zone = mostly(
  fc.oneof(
    fc.constantFrom('Z', 'z', '+01', '-2359', '-23:59'),
    fc.tuple(two, two).map(([h, m]) => `+${h}:${m}`),
  ),
  fc.constantFrom('', '+24:00', '+99:99', '+1'),
);
const fraction = fc.oneof(
  fc.constant(''),
  digits.map((text) => `.${text}`),
);
const dateTime = fc
  .tuple(
    mostly(fc.stringMatching(/^\d{4}$/), fc.constantFrom('0000', '0001', '9999')),
    fc.stringMatching(/^(0[1-9]|1[0-2])$/),
    two,
    fc.constantFrom('T', 't', ' '),
    two,
    two,
    two,
    fraction,
    zone,
  )
  .map(([y, mo, d, t, h, mi, s, f, z]) => `${y}-${mo}-${d}${t}${h}:${mi}:${s}${f}${z}`);
const cursor = fc
  .tuple(dateTime, mostly(fc.constant('~'), fc.constantFrom('~~', '~-', '~x')), digits)
  .map((pieces) => pieces.join(''));
/** Times near the limits, which zones move across them. */
const edge = fc
  .tuple(
    fc.constantFrom('0001-01-01T00:00:00', '9999-12-31T23:59:59', '9999-12-31T23:59:59.999999999'),
    fc.constantFrom('Z', '+00:01', '-00:01', '+23:59', '-23:59'),
  )
  .map((pieces) => pieces.join(''));
const text = fc.oneof(
  duration,
  dateTime,
  edge,
  cursor,
  hostileText,
  fc.tuple(dateTime, hostileText).map((pieces) => pieces.join('')),
);
const EARLIEST = { seconds: Date.parse('0001-01-01T00:00:00Z') / 1000, nanos: 0 };
const LATEST = { seconds: Date.parse('9999-12-31T23:59:59Z') / 1000, nanos: 999_999_999 };

test(`any time point is in range and can be written, or has a reason (${FUZZED})`, () => {
  const kinds = new Map<string, number>();
  fc.assert(
    fc.property(text, fc.boolean(), fc.boolean(), (given, durations, cursors) => {
      const point = parseTimePoint(given, { now, durations, cursors });
      kinds.set(point.kind, (kinds.get(point.kind) ?? 0) + 1);
      if (point.kind === 'bad') return;
      const at = point.kind === 'time' ? point.at : point.cursor.at;
      expect(Number.isSafeInteger(at.seconds) && Number.isSafeInteger(at.nanos)).toBe(true);
      expect(at.nanos >= 0 && at.nanos < 1e9).toBe(true);
      expect(compareTimestamps(at, EARLIEST) >= 0 && compareTimestamps(at, LATEST) <= 0).toBe(true);
      expect(parseTimestamp(formatTimestamp(at))).toEqual(at);
      if (point.kind === 'time' && point.agoSeconds !== undefined)
        expect(Number.isSafeInteger(point.agoSeconds) && point.agoSeconds >= 0).toBe(true);
    }),
    FUZZ,
  );
  for (const kind of ['time', 'cursor', 'bad']) expect(kinds.get(kind) ?? 0).toBeGreaterThan(50);
});

test(`any duration is exact and not negative, or has a reason (${FUZZED})`, () => {
  let read = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 4, arbitrary: duration }, hostileText), (given) => {
      const result = parseDuration(given);
      if (result.kind !== 'duration') return;
      read++;
      const { seconds, nanos } = result.duration;
      expect(Number.isSafeInteger(seconds) && seconds >= 0 && seconds <= 9_223_372_036).toBe(true);
      expect(Number.isSafeInteger(nanos) && nanos >= 0 && nanos < 1e9).toBe(true);
      expect(parseDuration(`${seconds}s${nanos}ns`)).toEqual(result);
    }),
    FUZZ,
  );
  expect(read).toBeGreaterThan(100);
});

test(`any cursor is read as the position that it is written as, or not at all (${FUZZED})`, () => {
  let read = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 4, arbitrary: cursor }, hostileText), (given) => {
      const found = parseCursor(given);
      if (found === undefined) return;
      read++;
      expect(Number.isSafeInteger(found.shown) && found.shown >= 0).toBe(true);
      // The range of time points does not cover how the year 0 and its neighbors are written.
      if (compareTimestamps(found.at, EARLIEST) < 0 || compareTimestamps(found.at, LATEST) > 0) return;
      if (found.shown > 0) expect(parseCursor(formatCursor(found))).toEqual(found);
    }),
    FUZZ,
  );
  expect(read).toBeGreaterThan(100);
});
