import { z } from 'zod';
import { WireError } from './error.ts';
import { LogSource } from './log-source.ts';
import { CursorText, TimeText, WireRecord } from './wire-record.ts';

const q = z.int().nonnegative().describe('LogQuery.id');

/** One line of the log stream (NDJSON). Frames of several queries come mixed; those of one come in order. */
export const LogFrame = z.discriminatedUnion('type', [
  /** New sources, or sources whose facts changed. Always before the first record of a source. */
  z.object({ type: z.literal('sources'), q, sources: z.array(LogSource) }),
  /** Up to 256 records, or those of 50 ms. */
  z.object({ type: z.literal('records'), q, records: z.array(WireRecord) }),
  z.object({
    type: z.literal('state'),
    q,
    source: z.int().nonnegative(),
    state: z.enum([
      'joined',
      'waiting',
      'restarted',
      'reconnecting',
      'reconnected',
      'finished',
      'left',
      'failed',
    ]),
    detail: z.string(),
    /** So many other containers came to the same state at once. */
    others: z.int().nonnegative().optional(),
    /** Those containers (LogSource.id). */
    otherIds: z.array(z.string()).optional(),
    error: WireError.optional(),
  }),
  /** Something between two times may be missing. */
  z.object({
    type: z.literal('gap'),
    q,
    source: z.int().nonnegative(),
    from: TimeText.optional(),
    to: TimeText.optional(),
    why: z.string(),
  }),
  z.object({
    type: z.literal('progress'),
    q,
    text: z.string(),
    done: z.number().optional(),
    total: z.number().optional(),
  }),
  /** With an error: a source argument that failed as a whole; the others go on. */
  z.object({
    type: z.literal('notice'),
    q,
    code: z.string(),
    text: z.string(),
    error: WireError.optional(),
    /** The failure that the text tells the effect of. */
    cause: WireError.optional(),
    /** The containers (LogSource.id) that it is about, where it is about some. */
    ids: z.array(z.string()).optional(),
  }),
  /** The window was read to its end; with `live`, new records come after it. */
  z.object({
    type: z.literal('end'),
    q,
    live: z.boolean(),
    /** Where the records before the first one end; absent at the beginning of the logs. */
    prev: CursorText.optional(),
    next: CursorText.optional(),
    cut: z.boolean(),
  }),
  /** Nothing more comes of this query. With an error: it could not go on; `final`: asking the same again is of no use. */
  z.object({ type: z.literal('done'), q, error: WireError.optional(), final: z.literal(true).optional() }),
  /** Every 15 s. `at`: the server's clock, ms since the epoch. */
  z.object({ type: z.literal('heartbeat'), at: z.number() }),
  /** The last line of a stream that the server ends. */
  z.object({
    type: z.literal('closing'),
    reason: z.enum(['shutdown', 'signed-out', 'expired', 'revoked', 'too-slow']),
  }),
]);
export type LogFrame = z.infer<typeof LogFrame>;
