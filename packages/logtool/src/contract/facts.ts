import { z } from 'zod';
import { type Fact, type FactKind, SEVERITIES } from '../domain/facts/fact.ts';
import { NoData, sameAs } from './coded.ts';
import { ClosingFrame, DoneFrame, HeartbeatFrame, NoticeFrame } from './log-frame.ts';
import { LogQuery } from './log-query.ts';
import { TimeText } from './wire-record.ts';

/** The domain's type, with times as texts. */
type InText<F> = {
  readonly [K in keyof F]: K extends 'at' | 'until' | 'since' ? string | Extract<F[K], undefined> : F[K];
};

const text = z.string();
const count = z.int().nonnegative();

/** What a fact is about. */
export const WireSubject = z.object({
  /** `Pod`, `Deployment`, `Node`. */
  kind: text,
  /** Empty for kinds outside namespaces. */
  namespace: text,
  name: text,
  /** Empty if the cluster did not report it. */
  uid: text,
  container: text.optional(),
  /** ID of the container's run. */
  run: text.optional(),
});

const ofFact = {
  /** Identifies the fact in every answer; a later fact with the same ID replaces an earlier one. */
  id: text,
  at: TimeText,
  /** For a series: when it last happened. */
  until: TimeText.optional(),
  /** For a start that an Event counts together with earlier starts: the time of the first. */
  since: TimeText.optional(),
  /** The precision of these times in the cluster; whole seconds are placed at the end of their second. */
  precision: z.enum(['s', 'us', 'ns']),
  /** It happened at this time or later, and before it was read. */
  bound: z.literal('not-before').optional(),
  severity: z.enum(SEVERITIES),
  subject: WireSubject,
  /** The cluster's reason, one word; empty if it gives none. */
  reason: text,
  /** The cluster's message; empty if it gives none. */
  message: text,
  /** How often it happened. */
  count,
  /** ID of the fact that caused this one. */
  cause: text.optional(),
  /** Where logtool read it. */
  source: z.enum(['pod', 'event', 'workload', 'node']),
};

function of<K extends FactKind, D extends z.ZodType>(kind: K, data: D) {
  return z.object({ ...ofFact, kind: z.literal(kind), data });
}

const runStart = { restarts: count, image: text.optional() };
const OnNode = z.object({ node: text.optional() });
const ConditionChange = z.object({ type: text, status: text });
export const ImageChange = z.object({ container: text, from: text.optional(), to: text.optional() });

/** Something that happened in the cluster, as the cluster reports it. */
export const WireFact = sameAs<InText<Fact>>()(
  z.discriminatedUnion('kind', [
    of('started', z.object(runStart)),
    of('restarted', z.object({ ...runStart, afterMs: z.number().optional() })),
    of(
      'exited',
      z.object({
        exitCode: z.int(),
        signal: z.int().optional(),
        memoryLimit: text.optional(),
        lastedMs: z.number().optional(),
        restarts: count,
        isInit: z.boolean(),
        wasDeleted: z.boolean(),
      }),
    ),
    of('waiting', z.object({ image: text.optional(), restarts: count })),
    of('ready', NoData),
    of('not-ready', NoData),
    of('scheduled', OnNode),
    of('unschedulable', NoData),
    of('evicted', OnNode),
    of('preempted', OnNode),
    of('deleted', z.object({ graceSeconds: z.number().optional(), by: text.optional() })),
    of('failed', OnNode),
    of(
      'rollout',
      z.object({
        revision: z.number(),
        images: z.array(ImageChange).readonly(),
        replicas: z.number().optional(),
        /** Whether its pods have replaced the earlier ones. */
        isOver: z.boolean().optional(),
        lastedMs: z.number().optional(),
        replicaSet: text.optional(),
        controllerRevision: text.optional(),
      }),
    ),
    of(
      'paused',
      z.object({ updated: count.optional(), replicas: count.optional(), active: count.optional() }),
    ),
    of(
      'workload-condition',
      ConditionChange.extend({ heldMs: count.optional(), isOfAll: z.literal(true).optional() }),
    ),
    of('node-condition', ConditionChange),
    of('node-taint', z.object({ key: text, effect: text })),
    of('node-rebooted', z.object({ bootId: text })),
    of('node-clock', z.object({ offsetMs: z.int() })),
    of('event', z.object({ controller: text, type: text, node: text.optional() })),
  ]),
);
export type WireFact = z.infer<typeof WireFact>;

/** Selects what happened to everything the sources lead to: all its containers, its owners and its nodes. */
export const FactsQuery = LogQuery.pick({
  id: true,
  sources: true,
  selector: true,
  nodes: true,
  regions: true,
  zones: true,
  os: true,
  arch: true,
}).extend({
  /**
   * Facts that happened (for a series: last happened) at or after `from`, and at or before `to`. Without
   * them, all that the cluster has.
   */
  from: TimeText.optional(),
  to: TimeText.optional(),
  /** Streams later facts, too. Requires an open end. */
  follow: z.boolean().optional(),
});
export type FactsQuery = z.infer<typeof FactsQuery>;

/** One line of the stream of facts (NDJSON). */
export const FactsFrame = z.discriminatedUnion('type', [
  /**
   * Before `read` they come in the total order of facts; after it as they become known, in any order. A fact
   * with an ID sent before replaces the earlier one: a series that continues, or better knowledge. No fact is
   * ever withdrawn.
   */
  z.object({ type: z.literal('facts'), q: LogQuery.shape.id, facts: z.array(WireFact) }),
  /**
   * `facts-forbidden`, with the missing permission in its cause (`denied`), `facts-unreadable`, `facts-cut`
   * and `facts-confined` state which facts do not appear; each comes once.
   */
  NoticeFrame,
  /** The server has sent everything of the range that the cluster still has, except what notices name. */
  z.object({
    type: z.literal('read'),
    q: LogQuery.shape.id,
    /**
     * From this time on, all Events were read. The cluster drops Events after a time (an hour by default):
     * earlier facts come only from the statuses of objects, which keep the last of each kind. Absent if it
     * has no Events.
     */
    eventsSince: TimeText.optional(),
  }),
  DoneFrame,
  HeartbeatFrame,
  ClosingFrame,
]);
export type FactsFrame = z.infer<typeof FactsFrame>;
