import { z } from 'zod';

/**
 * One line: [index of its source in this stream, seconds since the Unix epoch, nanoseconds inside the second,
 * message, flags]. A tuple, because 50,000 of them may arrive in a second.
 */
export const WireRecord = z
  .tuple([z.int().nonnegative(), z.int(), z.int().min(0).max(999_999_999), z.string(), z.int().nonnegative()])
  .describe('[source, seconds, nanoseconds, message, flags]');
export type WireRecord = readonly [
  source: number,
  seconds: number,
  nanos: number,
  message: string,
  flags: number,
];

/** A point in time as text: RFC 3339 with nanoseconds. */
export const TimeText = z
  .string()
  .max(40)
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/)
  .describe('RFC 3339, up to nine fractional digits');

/** A position between two records: RFC 3339, followed by `~N` if N records at that time precede it. */
export const CursorText = z
  .string()
  .max(60)
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)(?:~\d{1,15})?$/);
