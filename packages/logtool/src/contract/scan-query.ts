import { z } from 'zod';
import { COUNTED_LEVELS } from '../domain/coverage/scan.ts';
import { LogQuery } from './log-query.ts';
import { TimeText } from './wire-record.ts';

/** Where the read of a container stands: all before `at` was read, and the first `shown` records at exactly `at`. */
export const ScanPosition = z.object({ at: TimeText, shown: z.int().nonnegative() });

/** A range to read from its beginning to its end, for its counts and matches in place of its records. */
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
  grep: true,
  exclude: true,
  ignoreCase: true,
}).extend({
  /** Whether neighboring lines that are one record (a stack trace, JSON over several lines) are judged and counted as one: yes, unless this is false. */
  grouping: z.boolean().optional(),
  /** Of records; `none`: those without a level. */
  levels: z.array(z.enum(COUNTED_LEVELS)).optional(),
  /** What the page searches lines for: words, levels and JSON fields, or a regular expression, which takes the place of `grep`. */
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
   * The range: at and after `from`, before `to`. Without them it has no such end. Of a record that lies across an end, the
   * lines inside of it are one.
   */
  from: TimeText.optional(),
  to: TimeText.optional(),
  /** Counts by time and level in buckets of this width, which grows if the range would have too many. */
  bucketMs: z.number().min(1).max(1e12).optional(),
  /**
   * The first matches of the range, or the last ones (of a record of several lines, its first one): only those that no other
   * match can lie before, read or not. Without
   * `bucketMs` the scan ends when it has them, or when a container that cannot be read leaves no more to be known.
   */
  hits: z.object({ order: z.enum(['oldest', 'newest']), count: z.int().min(1).max(10_000) }).optional(),
  /** Containers (LogSource.id) that are not read: nothing is counted or found in them. */
  without: z.array(z.string().max(600)).max(5_000).optional(),
  /** The scan stops when it has read so much, or for so long. */
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
