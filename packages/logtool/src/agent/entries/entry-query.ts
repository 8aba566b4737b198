import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { StreamName } from '../../backend/entry-lines.ts';
import type { LogPosition } from '../../backend/log-position.ts';

/** One end of what is asked for: a time, or a place in the files. */
export type Point =
  | { readonly kind: 'time'; readonly at: Timestamp }
  | { readonly kind: 'position'; readonly position: LogPosition };

export interface Bound {
  readonly point: Point;
  /** What lies exactly there is wanted, too. */
  readonly isInclusive: boolean;
}

/** Which entries of a log. A time is compared with that of the line: with its first entry's. */
export interface EntryQuery {
  readonly lower: Bound | undefined;
  readonly upper: Bound | undefined;
  /** The order in which they come. */
  readonly direction: 'forward' | 'backward';
  /** Number of lines; a line that the query cuts counts as one. Undefined: all. */
  readonly limit: number | undefined;
  /** Only entries of this stream. */
  readonly stream: StreamName | undefined;
}

/** Lines of one container may be this much out of order: two pipes, two timestamps. */
export const DISORDER_SECONDS = 1;

/** Whether a time is out of the bounds: before them, or after them. Positions bound no times. */
export function sideOf({ lower, upper }: Pick<EntryQuery, 'lower' | 'upper'>, at: Timestamp): -1 | 0 | 1 {
  if (lower?.point.kind === 'time') {
    const order = compareTimestamps(at, lower.point.at);
    if (lower.isInclusive ? order < 0 : order <= 0) return -1;
  }
  if (upper?.point.kind === 'time') {
    const order = compareTimestamps(at, upper.point.at);
    if (upper.isInclusive ? order > 0 : order >= 0) return 1;
  }
  return 0;
}

/** Whether a query has a time: else no entry's time is read. */
export function hasTimes({ lower, upper }: Pick<EntryQuery, 'lower' | 'upper'>): boolean {
  return lower?.point.kind === 'time' || upper?.point.kind === 'time';
}
