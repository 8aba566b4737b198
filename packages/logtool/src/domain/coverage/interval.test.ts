import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  covers,
  difference,
  type Interval,
  type Intervals,
  intersection,
  intervals,
  union,
} from './interval.ts';

/* Times are few and small, so that intervals touch, overlap and repeat; a half lies between two of them. */

const MAX = 12;
const at = (tick: number): Timestamp => ({ seconds: Math.floor(tick / 3), nanos: (tick % 3) * 1000 });
const bound = fc.oneof(
  { weight: 1, arbitrary: fc.constant(undefined) },
  { weight: 8, arbitrary: fc.nat(MAX).map(at) },
);
const list = fc
  .array(fc.record({ from: bound, to: bound }), { maxLength: 6 })
  .map((all) => all.map(intervals).reduce(union, []));

/** Every time that can differ: each tick, and one just before the first and after the last. */
const times = [
  { seconds: -1, nanos: 0 },
  ...Array.from({ length: MAX + 1 }, (_, tick) => at(tick)),
  at(MAX + 5),
];
const has = (set: Intervals, time: Timestamp) =>
  set.some(
    ({ from, to }) =>
      (from === undefined || compareTimestamps(time, from) >= 0) &&
      (to === undefined || compareTimestamps(time, to) < 0),
  );

function isNormal(set: Intervals): boolean {
  return set.every(({ from, to }, index) => {
    const next = set[index + 1];
    const isNotEmpty = from === undefined || to === undefined || compareTimestamps(from, to) < 0;
    const isApart =
      next === undefined ||
      (to !== undefined && next.from !== undefined && compareTimestamps(to, next.from) < 0);
    return isNotEmpty && isApart;
  });
}

test('union, intersection and difference hold the times that they should, in normal form', () => {
  fc.assert(
    fc.property(list, list, (a, b) => {
      const results: readonly (readonly [Intervals, (time: Timestamp) => boolean])[] = [
        [union(a, b), (time) => has(a, time) || has(b, time)],
        [intersection(a, b), (time) => has(a, time) && has(b, time)],
        [difference(a, b), (time) => has(a, time) && !has(b, time)],
      ];
      for (const [result, isIn] of results) {
        expect(isNormal(result)).toBe(true);
        for (const time of times) expect(has(result, time)).toBe(isIn(time));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a union of all that is left and all that was taken is what there was', () => {
  fc.assert(
    fc.property(list, list, (a, b) => {
      expect(union(difference(a, b), intersection(a, b))).toEqual(a);
    }),
    { numRuns: 2_000 },
  );
});

test('an interval is covered if none of its times is left out', () => {
  fc.assert(
    fc.property(list, bound, bound, (set, from, to) => {
      const wanted: Interval = { from, to };
      const isCovered = times.every((time) => !has(intervals(wanted), time) || has(set, time));
      expect(covers(set, wanted)).toBe(isCovered);
    }),
    { numRuns: 2_000 },
  );
});
