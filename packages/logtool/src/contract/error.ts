import { z } from '@hono/zod-openapi';
import type { Coded } from '@logtool/kube/src/values/coded-error.ts';
import type { FilterFailures } from '../domain/patterns/filter-failures.ts';
import { ANSWER_DATA } from './answer-failures.ts';
import { KUBE_DATA } from './kube-failures.ts';
import { RESOLVE_DATA } from './resolve-failures.ts';
import { schemasOf } from './schemas-of.ts';

const PatternSize = z.object({ size: z.number(), limit: z.number() });

/** The data of each code of a filter's patterns. */
const FILTER_DATA = schemasOf<FilterFailures>()({
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

/** The data of every code that an answer can have. */
const DATA = { ...KUBE_DATA, ...RESOLVE_DATA, ...FILTER_DATA, ...ANSWER_DATA };

const Denied = z
  .object({
    verb: z.string(),
    resource: z.string(),
    namespace: z.string().optional(),
    name: z.string().optional(),
    check: z.string(),
  })
  .openapi('Denied', { description: 'The missing permission, and the kubectl command that checks it' });

/** What went wrong: a code with its data. Never contains a credential. */
export interface WireError extends Coded {
  /** The missing permission, if that is the reason. */
  readonly denied?: z.infer<typeof Denied> | undefined;
}

/**
 * Lists each code with its data. The client has the texts, and accepts a code of a later server unchanged.
 */
export const WireError: z.ZodType<WireError, WireError> = z
  .union(
    Object.entries(DATA).map(([code, data]) =>
      z.object({ code: z.literal(code), data, denied: Denied.optional() }),
    ),
  )
  .openapi('Error', { description: 'What went wrong: a code with its data' });

/** Body of every answer other than 2xx. */
export const ErrorBody = z.object({ error: WireError }).openapi('ErrorBody');
export type ErrorBody = z.infer<typeof ErrorBody>;
