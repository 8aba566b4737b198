import { expect, test } from 'vitest';
import { makeZoneClock } from '../console/state/zone-time.ts';
import type { Histogram } from '../worker/protocol/protocol.ts';
import { axisTicks, barsOf, bucketText, gapMarksOf, stretchOf, stretchText, stretchTimes } from './bars.ts';

const histogram: Histogram = {
  fromSeconds: Date.parse('2026-11-21T13:36:00Z') / 1000,
  bucketSeconds: 15,
  errors: [0, 1, 20],
  warnings: [0, 2, 0],
  others: [10, 100, 0],
};
const clock = makeZoneClock('UTC');
const NOW_MS = Date.parse('2026-11-21T20:00:00Z');

test('levels stand on each other: other lines, warnings, errors', () => {
  const bars = barsOf(histogram, 30, 40).filter(({ xPx }) => xPx === 10);
  expect(bars.map(({ kind }) => kind)).toEqual(['other', 'warning', 'error']);
  for (const [index, bar] of bars.entries()) {
    const below = bars[index - 1];
    if (below !== undefined) expect(bar.yPx + bar.heightPx).toBe(below.yPx);
  }
  expect(bars[0]).toMatchObject({ widthPx: 8, yPx: 40 - (bars[0]?.heightPx ?? 0) });
});

test('one error among many lines is seen, and nothing leaves the strip', () => {
  const crowded = { ...histogram, errors: [1], warnings: [1], others: [1_000_000] };
  const bars = barsOf(crowded, 8, 40);
  for (const { yPx, heightPx } of bars) {
    expect(yPx).toBeGreaterThanOrEqual(0);
    expect(yPx + heightPx).toBeLessThanOrEqual(40);
  }
  expect(bars.filter(({ heightPx }) => heightPx > 0).map(({ kind }) => kind)).toContain('error');
});

test('no lines and no room give no bars', () => {
  expect(barsOf({ ...histogram, errors: [], warnings: [], others: [] }, 100, 40)).toEqual([]);
  expect(barsOf(histogram, 0, 40)).toEqual([]);
});

test('a stretch is the same from either end and stays inside', () => {
  expect(stretchOf(5, -3, 3)).toEqual({ first: 0, last: 2 });
  expect(stretchOf(1, 2, 3)).toEqual(stretchOf(2, 1, 3));
});

test('a stretch holds its buckets to their last nanosecond and has a description', () => {
  expect(stretchTimes(histogram, { first: 1, last: 2 })).toEqual({
    from: { seconds: histogram.fromSeconds + 15, nanos: 0 },
    to: { seconds: histogram.fromSeconds + 44, nanos: 999_999_999 },
  });
  expect(stretchText(histogram, { first: 1, last: 2 }, clock, NOW_MS)).toBe(
    '13:36:15 to 13:36:44: 123 lines, 21 errors, 2 warnings',
  );
  expect(stretchText(histogram, { first: 1, last: 1 }, clock, NOW_MS)).toContain('1 error,');
});

test('a beginning that may only be late is no gap, in its mark and in words', () => {
  const gaps = [
    { first: 0, last: 1, isUnproven: true },
    { first: 2, last: 2 },
  ];
  const marks = gapMarksOf({ ...histogram, gaps }, 30);
  expect(marks.map(({ isUnproven }) => isUnproven)).toEqual([true, false]);
  const text = (first: number, last: number) =>
    stretchText({ ...histogram, gaps }, { first, last }, clock, NOW_MS);
  expect(text(0, 1)).toMatch(/warnings; earlier lines may be gone$/);
  expect(text(0, 2)).toMatch(/warnings; lines may be missing in 1 gap; earlier lines may be gone$/);
});

test('marks gaps over all of their buckets, also short ones, and describes them in place', () => {
  const gaps = [{ first: 1, last: 2 }];
  expect(gapMarksOf({ ...histogram, gaps }, 30)).toEqual([{ xPx: 10, widthPx: 20, isUnproven: false }]);
  expect(gapMarksOf({ ...histogram, gaps: [{ first: 2, last: 2 }] }, 6)).toEqual([
    { xPx: 4, widthPx: 4, isUnproven: false },
  ]);
  expect(gapMarksOf(histogram, 30)).toEqual([]);
  const text = (first: number, last: number) =>
    stretchText({ ...histogram, gaps }, { first, last }, clock, NOW_MS);
  expect(text(0, 1)).toBe(
    '13:36:00 to 13:36:29: 113 lines, 1 error, 2 warnings; lines may be missing in 1 gap',
  );
  expect(text(0, 0)).not.toContain('gap');
});

test('lengths and times under the bars are short', () => {
  expect([12, 60, 300, 3_600, 86_400].map(bucketText)).toEqual(['12 s', '1 min', '5 min', '1 h', '1 d']);
  const shown = (of: Histogram, widthPx: number, on = clock) =>
    axisTicks(of, widthPx, on).map(({ share, text }) => [Math.round(share * 1000) / 1000, text]);
  // 45 seconds starting at 13:36:00.
  expect(shown(histogram, 300)).toEqual([
    [0, '13:36:00'],
    [0.333, '13:36:15'],
    [0.667, '13:36:30'],
  ]);
  // Starting at 13:36: ticks are at round times, not at the ends.
  expect(shown({ ...histogram, bucketSeconds: 600 }, 300)).toEqual([
    [0.133, '13:40'],
    [0.467, '13:50'],
    [0.8, '14:00'],
  ]);
  expect(shown({ ...histogram, bucketSeconds: 86_400 }, 300)).toEqual([
    [0.144, '2026-11-22'],
    [0.478, '2026-11-23'],
    [0.811, '2026-11-24'],
  ]);
  const madrid = makeZoneClock('Europe/Madrid');
  expect(shown({ ...histogram, bucketSeconds: 28_800 }, 300, madrid)).toEqual([
    [0.392, '00:00'],
    [0.892, '12:00'],
  ]);
  expect(shown({ ...histogram, others: [] }, 300)).toEqual([]);
});
