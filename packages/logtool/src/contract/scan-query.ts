import { z } from 'zod';
import { COUNTED_LEVELS } from '../domain/coverage/scan.ts';
import { LogQuery } from './log-query.ts';
import { TimeText } from './wire-record.ts';

/**
 * The read position of a container: everything before `at` was read, and the first `shown` records at exactly
 * `at`.
 */
export const ScanPosition = z.object({ at: TimeText, shown: z.int().nonnegative() });

/** A range to read from start to end, for its counts and matches instead of its records. */
export const ScanQuery = LogQuery.pick({
  id: true,
  sources: true,
  allContainers: true,
  selector: true,
  nodes: true,
  regions: true,
  zones: true,
  os: true,
  arch: true,
  previous: true,
  rotated: true,
  grep: true,
  exclude: true,
  ignoreCase: true,
}).extend({
  /**
   * Whether neighboring lines of one record (a stack trace, JSON over several lines) are matched and counted
   * as one; defaults to true.
   */
  grouping: z.boolean().optional(),
  /** Levels of records; `none`: those without a level. */
  levels: z.array(z.enum(COUNTED_LEVELS)).optional(),
  /** The page's search: words, levels and JSON fields, or a regular expression, which replaces `grep`. */
  search: z
    .object({
      text: z.string().max(2_000),
      matchCase: z.boolean(),
      wholeWord: z.boolean(),
      regex: z.boolean(),
    })
    .optional(),
  /** JSON fields that lines must have with this value, or must not have. */
  fields: z
    .array(z.object({ path: z.string().max(500), value: z.string().max(2_000), exclude: z.boolean() }))
    .max(50)
    .optional(),
  /**
   * The range: at and after `from`, before `to`; absent means unbounded. If a record crosses an end, the
   * lines inside the range are one record.
   */
  from: TimeText.optional(),
  to: TimeText.optional(),
  /** Counts by time and level in buckets of this width, which grows if the range would have too many. */
  bucketMs: z.number().min(1).max(1e12).optional(),
  /**
   * The first matches of the range, or the last ones (for a record of several lines, its first line): only
   * those that no other match can precede, read or not. Without `bucketMs` the scan ends when it has them, or
   * when an unreadable container leaves nothing more to find out.
   */
  hits: z.object({ order: z.enum(['oldest', 'newest']), count: z.int().min(1).max(10_000) }).optional(),
  /** Containers (LogSource.id) to skip: the scan counts and finds nothing in them. */
  without: z.array(z.string().max(600)).max(5_000).optional(),
  /** The scan stops when it has read this much, or for this long. */
  budget: z
    .object({
      bytes: z
        .number()
        .min(1)
        .max(2 ** 40),
      ms: z.number().min(1).max(3_600_000),
    })
    .optional(),
  /** Where an earlier scan of the same range stopped, by container (LogSource.id). */
  positions: z
    .array(z.object({ id: z.string().max(600), ...ScanPosition.shape }))
    .max(5_000)
    .optional(),
});
export type ScanQuery = z.infer<typeof ScanQuery>;
