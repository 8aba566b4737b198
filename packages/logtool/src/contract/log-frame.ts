import { z } from 'zod';
import { COUNTED_LEVELS } from '../domain/coverage/scan.ts';
import type * as domain from '../domain/frame.ts';
import { coded, NoData, sameAs } from './coded.ts';
import { WireError } from './error.ts';
import { Why } from './kube-problems.ts';
import { LogSource } from './log-source.ts';
import { CodedNotice } from './notices.ts';
import { ScanPosition } from './scan-query.ts';
import { CursorText, TimeText, WireRecord } from './wire-record.ts';

const q = z.int().nonnegative().describe('LogQuery.id');

const LateBeginning = z.object({
  beginsAt: TimeText.optional().describe('The time of its first record.'),
  afterSeconds: z.int().positive().optional().describe('How long after the run; absent: not long.'),
  wasRotated: z
    .literal(true)
    .optional()
    .describe('Records that logtool read are gone: the node rotated the log.'),
});

/** Why records may be missing. */
const GapCause = sameAs<domain.GapCause>()(
  z.discriminatedUnion('code', [
    coded('rotated', NoData).describe('The node rotated the log.'),
    coded('begins-late', LateBeginning).describe(
      'The log begins long after its run, or later than when logtool last read it: earlier records may be gone.',
    ),
    coded('run-begins-late', LateBeginning).describe(
      'The same of a run that is not the oldest one on the node.',
    ),
    coded('runs-gone', z.object({ count: z.int().positive() })).describe(
      'The node no longer has this many earlier runs of the container.',
    ),
    coded('run-removed', NoData).describe('The container restarted, and the node removed its earlier run.'),
    coded('run-lost', NoData).describe('A run ended, and the node removed it before logtool read it.'),
    coded('restarted-twice', NoData).describe('The container restarted more than once.'),
    coded('pod-deleted', z.object({ during: z.enum(['read', 'cut', 'uncertain-end']) })).describe(
      'The pod was deleted while logtool read the log, while the connection was down, or before logtool could confirm the end.',
    ),
    coded('previous-unreadable', z.object({ why: Why })).describe(
      '`why`: the answer, or what went wrong instead.',
    ),
    coded('log-gone', NoData).describe('The node no longer serves the log.'),
    coded('end-unread', NoData).describe('Reading failed in the middle of the log.'),
  ]),
);

const ofProgress = { type: z.literal('progress'), q };
type OfProgress = z.infer<z.ZodObject<typeof ofProgress>>;

/** The progress of a view before its first record. */
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

const WaitReason = z.union([z.string(), z.object({ code: z.enum(['no-node', 'unknown-to-node']) })]);

const RunEnd = z.object({ reason: z.string(), exitCode: z.number() });

/** The new state of a container. */
const StateFrame = sameAs<OfState & domain.ContainerReport<WireError>>()(
  z.discriminatedUnion('state', [
    z.object({ ...ofState, state: z.literal('joined') }),
    z.object({ ...ofState, state: z.literal('waiting'), reason: WaitReason }),
    z.object({ ...ofState, state: z.literal('restarted'), count: z.number(), after: RunEnd.optional() }),
    z.object({ ...ofState, state: z.literal('reconnecting'), why: Why, error: WireError }),
    z.object({ ...ofState, state: z.literal('reconnected') }),
    z.object({ ...ofState, state: z.literal('finished'), reason: z.string(), exitCode: z.number() }),
    z.object({ ...ofState, state: z.literal('left'), why: z.enum(['deleted', 'not-matching']) }),
    z.object({ ...ofState, state: z.literal('failed'), error: WireError }),
  ]),
);

/** Something that ends nothing, or a source that failed. */
export const NoticeFrame = z.discriminatedUnion('code', [
  CodedNotice,
  /** A source argument that failed as a whole; the others continue. */
  z.object({ type: z.literal('notice'), q, code: z.literal('source-failed'), error: WireError }),
]);

/**
 * New sources, or sources whose facts changed. Always precedes the first record of a source. Lists the run before the
 * current one too if its node keeps its log, whether or not a record of it follows.
 */
const SourcesFrame = z.object({ type: z.literal('sources'), q, sources: z.array(LogSource) });
/** Records between two times may be missing. */
const GapFrame = z.object({
  type: z.literal('gap'),
  q,
  source: z.int().nonnegative(),
  from: TimeText.optional(),
  to: TimeText.optional(),
  cause: GapCause,
});
/** These sources have not answered for that long: the window continues without them (LogQuery.patienceMs). */
const UnansweredFrame = z.object({
  type: z.literal('unanswered'),
  q,
  sources: z.array(z.int().nonnegative()),
  forMs: z.number(),
});
/** These sources have answered after all. */
const AnsweredFrame = z.object({ type: z.literal('answered'), q, sources: z.array(z.int().nonnegative()) });
/**
 * This query yields nothing more. With an error, it could not continue; `final`: the same query would fail
 * again.
 */
export const DoneFrame = z.object({
  type: z.literal('done'),
  q,
  error: WireError.optional(),
  final: z.literal(true).optional(),
});
/** Every 15 s. `at`: the server's clock, ms since the epoch. */
export const HeartbeatFrame = z.object({ type: z.literal('heartbeat'), at: z.number() });
/** The last line of a stream that the server ends. */
export const ClosingFrame = z.object({
  type: z.literal('closing'),
  reason: z.enum(['shutdown', 'signed-out', 'expired', 'revoked', 'too-slow']),
});

/**
 * One line of the log stream (NDJSON). Frames of several queries are interleaved; those of one query are in
 * order.
 */
export const LogFrame = z.discriminatedUnion('type', [
  SourcesFrame,
  /** Up to 256 records, or those of 50 ms. */
  z.object({ type: z.literal('records'), q, records: z.array(WireRecord) }),
  StateFrame,
  GapFrame,
  ProgressFrame,
  NoticeFrame,
  UnansweredFrame,
  AnsweredFrame,
  /** The window was read to its end; with `live`, new records follow. */
  z.object({
    type: z.literal('end'),
    q,
    live: z.boolean(),
    /** Where the records before the first one end; absent at the beginning of the logs. */
    prev: CursorText.optional(),
    next: CursorText.optional(),
    cut: z.boolean(),
  }),
  DoneFrame,
  HeartbeatFrame,
  ClosingFrame,
]);
export type LogFrame = z.infer<typeof LogFrame>;

/** Records by level, as in COUNTED_LEVELS: fatal, error, warn, info, debug, trace, none. */
const LevelCounts = z.array(z.int().nonnegative()).length(COUNTED_LEVELS.length);

/** One line of a scan (NDJSON). */
export const ScanFrame = z.discriminatedUnion('type', [
  SourcesFrame,
  /** Hits in the total order, from the requested end of the range on: no match precedes them, read or not. */
  z.object({ type: z.literal('records'), q, records: z.array(WireRecord) }),
  /** Each bucket replaces its earlier value; with a new width, all buckets of all containers. */
  z.object({
    type: z.literal('counts'),
    q,
    /** LogSource.id */
    id: z.string(),
    bucketMs: z.number().positive(),
    buckets: z.array(
      z.object({
        /** Start of the bucket, ms since the epoch. */
        fromMs: z.number(),
        /** Records, each at the time of its first line; lines, if records are not grouped. */
        lines: LevelCounts,
        /** The records that pass the filter. */
        matches: LevelCounts,
      }),
    ),
  }),
  /** All records of a container (LogSource.id) that begin from `from` on and before `to` were read. */
  z.object({
    type: z.literal('coverage'),
    q,
    id: z.string(),
    from: TimeText.optional(),
    to: TimeText.optional(),
    position: ScanPosition.optional(),
  }),
  z.object({
    type: z.literal('scanning'),
    q,
    /** Bytes of the log read so far. */
    bytes: z.number(),
    /**
     * Roughly the bytes that the scan will have read at its end. Only if earlier scans have kept everything
     * left to read; absent if nothing is known, as for logs that only the cluster has.
     */
    bytesEstimated: z.number().optional(),
    containersDone: z.int(),
    containers: z.int(),
  }),
  StateFrame,
  GapFrame,
  NoticeFrame,
  /** The scan is over. With `stopped` it has not read the whole range. */
  z.object({
    type: z.literal('scanned'),
    q,
    bytes: z.number(),
    /** Sum of all buckets; absent if nothing was counted. */
    lines: z.int().optional(),
    matches: z.int(),
    stopped: z.enum(['bytes', 'time', 'enough-hits', 'unreadable']).optional(),
    /** Containers (LogSource.id) whose range was not completely read. */
    incomplete: z.array(z.string()),
    /** The incomplete containers that could not be read further, for another reason than `stopped`. */
    failed: z.array(z.string()),
  }),
  DoneFrame,
  HeartbeatFrame,
  ClosingFrame,
]);
export type ScanFrame = z.infer<typeof ScanFrame>;
