import { formatTimestamp, parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WireBound } from '../../../contract/log-query.ts';
import { type Interval, nextTime } from '../../../domain/coverage/interval.ts';

/** A range between two held parts (or before the first) whose lines are not held. */
export interface MissingRange {
  from: WireBound;
  to: WireBound;
  /** Undefined: unknown. */
  lines: number | undefined;
  state: 'idle' | 'loading';
}

/** The interval between two bounds. It includes the time of a cursor: some lines at that time may be inside. */
export function intervalOf({ from, to }: Bounds): Interval {
  return {
    from: from && (from.kind === 'strict' ? nextTime(timeOfBound(from)) : timeOfBound(from)),
    to: to && (to.kind === 'strict' ? timeOfBound(to) : nextTime(timeOfBound(to))),
  };
}

interface Bounds {
  readonly from?: WireBound | undefined;
  readonly to?: WireBound | undefined;
}

const times = new WeakMap<WireBound, Timestamp>();

/** The time of a bound, without the line count that a cursor adds. */
export function timeOfBound(bound: WireBound): Timestamp {
  const known = times.get(bound);
  if (known !== undefined) return known;
  const at = parseTimestamp(bound.at.replace(/~\d+$/, ''));
  if (at === undefined) throw new Error(`${bound.at} is not a time`);
  times.set(bound, at);
  return at;
}

/** The first time at which lines after an upper bound of what is not held may be held. */
export function heldFrom(bound: WireBound): Timestamp {
  return bound.kind === 'inclusive' ? nextTime(timeOfBound(bound)) : timeOfBound(bound);
}

/** A bound that includes its own time. */
export function inclusive(at: Timestamp): WireBound {
  return { kind: 'inclusive', at: formatTimestamp(at) };
}

/** Whether a time lies in the missing range. Lines at exactly a cursor's time are held, as far as the time can show. */
export function isInside(range: MissingRange, at: Timestamp): boolean {
  return isAfter(range.from, at) && isBefore(range.to, at);
}

/** Whether a time lies after a lower bound. */
export function isAfter(bound: WireBound, at: Timestamp): boolean {
  const order = compare(at, timeOfBound(bound));
  return bound.kind === 'inclusive' ? order >= 0 : order > 0;
}

/** Whether a time lies before an upper bound. */
export function isBefore(bound: WireBound, at: Timestamp): boolean {
  const order = compare(at, timeOfBound(bound));
  return bound.kind === 'inclusive' ? order <= 0 : order < 0;
}

/** Whether the bound lies among the lines at a time. */
export function isAtCursor(bound: WireBound, at: Timestamp): boolean {
  return bound.kind === 'cursor' && compare(at, timeOfBound(bound)) === 0;
}

function compare(a: Timestamp, b: Timestamp): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}
