import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';

/** A range of time: at and after `from`, before `to`. Undefined: from the beginning of all logs, or without an end. */
export interface Interval {
  readonly from: Timestamp | undefined;
  readonly to: Timestamp | undefined;
}

/** Intervals in order, none empty, no two overlapping or touching: equal sets of times are equal lists. */
export type Intervals = readonly Interval[];

export const NO_INTERVALS: Intervals = [];

/** Returns the next representable time, so that an interval that ends there includes this one. */
export function nextTime({ seconds, nanos }: Timestamp): Timestamp {
  return nanos === 999_999_999 ? { seconds: seconds + 1, nanos: 0 } : { seconds, nanos: nanos + 1 };
}

/** Returns all times in any of them. */
export function union(a: Intervals, b: Intervals): Intervals {
  return joined([...a, ...b]);
}

/** Returns all times in both. */
export function intersection(a: Intervals, b: Intervals): Intervals {
  return a.flatMap((one) => b.map((other) => overlap(one, other)).filter((both) => both !== undefined));
}

/** Returns all times in the first but not in the second. */
export function difference(a: Intervals, b: Intervals): Intervals {
  let left = [...a];
  for (const cut of b) left = left.flatMap((interval) => without(interval, cut));
  return left;
}

/** Whether every time of an interval is in one of them. */
export function covers(covered: Intervals, wanted: Interval): boolean {
  return difference(intervals(wanted), covered).length === 0;
}

/** Returns one interval as a list; empty if it contains no time. */
export function intervals(interval: Interval): Intervals {
  return isEmpty(interval) ? NO_INTERVALS : [interval];
}

function isEmpty({ from, to }: Interval): boolean {
  return from !== undefined && to !== undefined && compareTimestamps(from, to) >= 0;
}

function overlap(a: Interval, b: Interval): Interval | undefined {
  const both = {
    from: compareStarts(a.from, b.from) >= 0 ? a.from : b.from,
    to: compareEnds(a.to, b.to) <= 0 ? a.to : b.to,
  };
  return isEmpty(both) ? undefined : both;
}

function without(interval: Interval, cut: Interval): Interval[] {
  if (overlap(interval, cut) === undefined) return [interval];
  const rest: Interval[] = [];
  if (compareStarts(interval.from, cut.from) < 0) rest.push({ from: interval.from, to: cut.from });
  if (compareEnds(interval.to, cut.to) > 0) rest.push({ from: cut.to, to: interval.to });
  return rest;
}

function joined(list: readonly Interval[]): Intervals {
  const result: Interval[] = [];
  for (const interval of list.toSorted((a, b) => compareStarts(a.from, b.from))) {
    const last = result.at(-1);
    if (last !== undefined && reaches(last.to, interval.from)) {
      const to = compareEnds(last.to, interval.to) >= 0 ? last.to : interval.to;
      result[result.length - 1] = { from: last.from, to };
    } else result.push(interval);
  }
  return result;
}

/** Whether nothing lies between the end of one interval and the start of a later one. */
function reaches(end: Timestamp | undefined, start: Timestamp | undefined): boolean {
  return end === undefined || start === undefined || compareTimestamps(end, start) >= 0;
}

/** Compares the beginnings of intervals. */
export function compareStarts(a: Timestamp | undefined, b: Timestamp | undefined): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  return compareTimestamps(a, b);
}

/** Compares the ends of intervals. */
export function compareEnds(a: Timestamp | undefined, b: Timestamp | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return compareTimestamps(a, b);
}
