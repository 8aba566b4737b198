import { z } from '@hono/zod-openapi';
import type { FilterFailures } from '../domain/patterns/filter-failures.ts';
import { schemasOf } from './schemas-of.ts';

const PatternSize = z.object({ size: z.number(), limit: z.number() });

/** The data of each code of the patterns of a filter. */
export const FILTER_DATA = schemasOf<FilterFailures>()({
  'bad-pattern': z.object({
    use: z.enum(['grep', 'exclude', 'highlight']),
    pattern: z.string(),
    fault: z.object({ index: z.number(), why: z.string() }),
  }),
  'pattern-too-large': PatternSize,
  'too-many-patterns': PatternSize,
  'match-failed': z.discriminatedUnion('reason', [
    z.object({ reason: z.literal('memory'), limitMib: z.number() }),
    z.object({ reason: z.literal('error'), why: z.string() }),
    z.object({ reason: z.literal('ended') }),
  ]),
  'match-too-slow': z.object({ limitMs: z.number() }),
});
