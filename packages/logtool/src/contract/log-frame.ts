import { z } from 'zod';
import type * as domain from '../domain/frame.ts';
import { coded, NoData, sameAs } from './coded.ts';
import { WireError } from './error.ts';
import { LogSource } from './log-source.ts';
import { CodedNotice } from './notices.ts';
import { CursorText, TimeText, WireRecord } from './wire-record.ts';

const q = z.int().nonnegative().describe('LogQuery.id');

/** Why records may be missing. */
const GapCause = sameAs<domain.GapCause>()(
  z.discriminatedUnion('code', [
    coded('rotated', NoData).describe('The node rotated the log.'),
    coded('run-removed', NoData).describe('The container restarted, and the node removed its earlier run.'),
    coded('run-lost', NoData).describe('A run ended, and the node removed it before it was read.'),
    coded('restarted-twice', NoData).describe('The container restarted more than once.'),
    coded('pod-deleted', z.object({ during: z.enum(['read', 'cut', 'uncertain-end']) })).describe(
      'The pod was deleted while the log was read, while the connection was cut, or before the end was certain.',
    ),
    coded('previous-unreadable', z.object({ why: z.string() })).describe('`why`: the answer of the node.'),
    coded('log-gone', NoData).describe('The node serves the log no more.'),
    coded('end-unread', NoData).describe('Reading failed in the middle of the log.'),
  ]),
);

const ofProgress = { type: z.literal('progress'), q };
type OfProgress = z.infer<z.ZodObject<typeof ofProgress>>;

/** How far a view is before its first record. */
const ProgressFrame = sameAs<OfProgress & domain.Progress>()(
  z.discriminatedUnion('code', [
    z.object({
      ...ofProgress,
      code: z.literal('in-turns'),
      data: z.object({ limit: z.number(), total: z.number() }),
    }),
    z.object({
      ...ofProgress,
      code: z.literal('containers-read'),
      data: z.object({ done: z.number(), total: z.number() }),
    }),
    z.object({ ...ofProgress, code: z.literal('searching-back'), data: z.object({ bytes: z.number() }) }),
  ]),
);

const ofState = {
  type: z.literal('state'),
  q,
  source: z.int().nonnegative(),
  /** This many other containers reached the same state at once. */
  others: z.int().nonnegative().optional(),
  /** Those containers (LogSource.id). */
  otherIds: z.array(z.string()).optional(),
};
type OfState = z.infer<z.ZodObject<typeof ofState>>;

/** What a container has come to. */
const StateFrame = sameAs<OfState & domain.SourceState<WireError>>()(
  z.discriminatedUnion('state', [
    z.object({ ...ofState, state: z.literal('joined') }),
    z.object({ ...ofState, state: z.literal('waiting'), reason: z.string() }),
    z.object({ ...ofState, state: z.literal('restarted'), count: z.number() }),
    z.object({ ...ofState, state: z.literal('reconnecting'), why: z.string(), error: WireError }),
    z.object({ ...ofState, state: z.literal('reconnected') }),
    z.object({ ...ofState, state: z.literal('finished'), reason: z.string(), exitCode: z.number() }),
    z.object({ ...ofState, state: z.literal('left'), why: z.enum(['deleted', 'not-matching']) }),
    z.object({ ...ofState, state: z.literal('failed'), error: WireError }),
  ]),
);

const NoticeFrame = z.discriminatedUnion('code', [
  CodedNotice,
  /** A source argument that failed as a whole; the others go on. */
  z.object({ type: z.literal('notice'), q, code: z.literal('source-failed'), error: WireError }),
]);

/** One line of the log stream (NDJSON). Frames of several queries come mixed; those of one come in order. */
export const LogFrame = z.discriminatedUnion('type', [
  /** New sources, or sources whose facts changed. Always before the first record of a source. */
  z.object({ type: z.literal('sources'), q, sources: z.array(LogSource) }),
  /** Up to 256 records, or those of 50 ms. */
  z.object({ type: z.literal('records'), q, records: z.array(WireRecord) }),
  StateFrame,
  /** Records between two times may be missing. */
  z.object({
    type: z.literal('gap'),
    q,
    source: z.int().nonnegative(),
    from: TimeText.optional(),
    to: TimeText.optional(),
    cause: GapCause,
  }),
  ProgressFrame,
  NoticeFrame,
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
  /**
   * This query yields nothing more. With an error: it could not continue; `final`: asking the same again is
   * of no use.
   */
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
