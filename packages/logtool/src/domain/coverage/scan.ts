import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../container.ts';
import { LEVELS } from '../filter.ts';
import type { Frame } from '../frame.ts';
import type { LogRecord } from '../record.ts';

/** Levels as counts list them: the gravest first, lines without a level last. */
export const COUNTED_LEVELS = [...LEVELS, 'none'] as const;
export type CountedLevel = (typeof COUNTED_LEVELS)[number];

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Widths that people can read, ms; each is a multiple of the one before it. */
export const BUCKET_WIDTHS_MS = [
  1,
  10,
  100,
  500,
  SECOND,
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  10 * DAY,
  100 * DAY,
  1_000 * DAY,
  10_000 * DAY,
  100_000 * DAY,
] as const;

/**
 * The records of one bucket of time, by level as in COUNTED_LEVELS; lines where these are not grouped. A record of several
 * lines has the time of its first one.
 */
export interface BucketCount {
  /** Where the bucket begins, ms since the epoch: a multiple of the width. */
  readonly fromMs: number;
  readonly lines: readonly number[];
  /** Those of the lines that pass the filter. */
  readonly matches: readonly number[];
}

/** Where the read of a container stands: the records before `at` were read, and the first `shown` at exactly `at`. */
export interface ScanPosition {
  readonly at: Timestamp;
  readonly shown: number;
}

/**
 * Why a scan ended before it had read the whole range. `unreadable`: a container could not be read, so that no more hits can
 * be known to be the first ones.
 */
export type ScanStop = 'bytes' | 'time' | 'enough-hits' | 'unreadable';

/** What a scan of a range yields as it reads: counts, the first or last matches, and what it has read completely. */
export type ScanFrame =
  /** Of one container. Each bucket replaces what was known of it; another width than before, all buckets of all containers. */
  | {
      readonly type: 'counts';
      readonly target: ContainerTarget;
      readonly bucketMs: number;
      readonly buckets: readonly BucketCount[];
    }
  /** In the total order, from the asked end on: no record that matches lies before one that came, read or not. */
  | { readonly type: 'hits'; readonly records: readonly LogRecord[] }
  /** All records of the container in this interval (from, not to) were read. */
  | {
      readonly type: 'coverage';
      readonly target: ContainerTarget;
      readonly from: Timestamp | undefined;
      readonly to: Timestamp | undefined;
      /** Where another scan continues; undefined if no record was read. */
      readonly position: ScanPosition | undefined;
    }
  | {
      readonly type: 'scanning';
      readonly bytes: number;
      /** About how many the scan will have read at its end; undefined: nothing is known of that. */
      readonly bytesEstimated: number | undefined;
      readonly containersDone: number;
      readonly containers: number;
    }
  | Extract<Frame, { readonly type: 'source' | 'gap' | 'notice' }>
  /** The last frame. */
  | {
      readonly type: 'scanned';
      readonly bytes: number;
      /** Of all buckets together, as BucketCount has them; undefined if nothing was counted. */
      readonly lines: number | undefined;
      readonly matches: number;
      readonly stopped: ScanStop | undefined;
      /** Containers of which not all of the range was read. */
      readonly incomplete: readonly ContainerTarget[];
      /** Those of them that could not be read further, for another reason than `stopped`. */
      readonly failed: readonly ContainerTarget[];
    };
