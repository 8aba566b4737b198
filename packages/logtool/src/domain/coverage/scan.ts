import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../container.ts';
import { LEVELS } from '../filter.ts';
import type { Frame } from '../frame.ts';
import type { LogRecord } from '../record.ts';

/** Levels in the order of counts: the most severe first, lines without a level last. */
export const COUNTED_LEVELS = [...LEVELS, 'none'] as const;
export type CountedLevel = (typeof COUNTED_LEVELS)[number];

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Readable bucket widths, ms; each is a multiple of the previous one. */
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
 * The records of one bucket of time, by level in the order of COUNTED_LEVELS; lines if these are not grouped. A record
 * of several lines has the time of its first one.
 */
export interface BucketCount {
  /** Start of the bucket, ms since the epoch: a multiple of the width. */
  readonly fromMs: number;
  readonly lines: readonly number[];
  /** Counts of the lines that pass the filter. */
  readonly matches: readonly number[];
}

/** The position of a container's read: the records before `at` were read, and the first `shown` at exactly `at`. */
export interface ScanPosition {
  readonly at: Timestamp;
  readonly shown: number;
}

/**
 * Why a scan ended before it had read the whole range. `unreadable`: a container was unreadable, so that no further
 * hits are certainly the first ones.
 */
export type ScanStop = 'bytes' | 'time' | 'enough-hits' | 'unreadable';

/** Output of a scan as it reads a range: counts, the first or last matches, and what it has read completely. */
export type ScanFrame =
  /**
   * Counts of one container. Each bucket replaces earlier counts for it; after a change of width, all buckets of all
   * containers do.
   */
  | {
      readonly type: 'counts';
      readonly target: ContainerTarget;
      readonly bucketMs: number;
      readonly buckets: readonly BucketCount[];
    }
  /** In the total order, from the requested end: no matching record precedes one already output, read or not. */
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
      /** Estimated bytes that the scan will have read at its end; undefined: unknown. */
      readonly bytesEstimated: number | undefined;
      readonly containersDone: number;
      readonly containers: number;
    }
  | Extract<Frame, { readonly type: 'source' | 'gap' | 'notice' }>
  /** The last frame. */
  | {
      readonly type: 'scanned';
      readonly bytes: number;
      /** Totals of all buckets, counted like BucketCount; undefined if nothing was counted. */
      readonly lines: number | undefined;
      readonly matches: number;
      readonly stopped: ScanStop | undefined;
      /** Containers of which only a part of the range was read. */
      readonly incomplete: readonly ContainerTarget[];
      /** Those of them that became unreadable, for another reason than `stopped`. */
      readonly failed: readonly ContainerTarget[];
    };
