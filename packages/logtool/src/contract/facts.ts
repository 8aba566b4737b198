import { z } from 'zod';
import { type Fact, type FactKind, SEVERITIES } from '../domain/facts/fact.ts';
import { NoData, sameAs } from './coded.ts';
import { ClosingFrame, DoneFrame, HeartbeatFrame, NoticeFrame } from './log-frame.ts';
import { LogQuery } from './log-query.ts';
import { TimeText } from './wire-record.ts';

/** As in the domain, with times as texts. */
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
  /** Empty if the cluster did not say it. */
  uid: text,
  container: text.optional(),
  /** ID of the run of the container. */
  run: text.optional(),
});

const ofFact = {
  /** The same for the same fact in every answer; a later fact of the same id replaces an earlier one. */
  id: text,
  at: TimeText,
  /** Of a series: when it happened last. */
  until: TimeText.optional(),
  /** Of a start that an Event counts with the starts before it: when that counted first. */
  since: TimeText.optional(),
  /** How precise the cluster writes these times; whole seconds lie at the end of their second. */
  precision: z.enum(['s', 'us', 'ns']),
  /** It happened then or later, and no later than it was read. */
  bound: z.literal('not-before').optional(),
  severity: z.enum(SEVERITIES),
  subject: WireSubject,
  /** One word of the cluster; empty if it has none. */
  reason: text,
  /** In the cluster's own words; empty if it has none. */
  message: text,
  /** How often it happened. */
  count,
  /** Id of the fact that led to this one. */
  cause: text.optional(),
  /** Where it was read. */
  source: z.enum(['pod', 'event', 'workload', 'node']),
};

function of<K extends FactKind, D extends z.ZodType>(kind: K, data: D) {
  return z.object({ ...ofFact, kind: z.literal(kind), data });
}

const runStart = { restarts: count, image: text.optional() };
const OnNode = z.object({ node: text.optional() });
const ConditionChange = z.object({ type: text, status: text });
export const ImageChange = z.object({ container: text, from: text.optional(), to: text.optional() });

/** Something that happened in the cluster, as the cluster itself reports it. */
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
    of('deleted', z.object({ graceSeconds: z.number().optional() })),
    of('failed', OnNode),
    of(
      'rollout',
      z.object({
        revision: z.number(),
        images: z.array(ImageChange).readonly(),
        replicas: z.number().optional(),
        /** Whether its pods have replaced those before. */
        isOver: z.boolean().optional(),
        lastedMs: z.number().optional(),
      }),
    ),
    of('workload-condition', ConditionChange),
    of('node-condition', ConditionChange),
    of('node-taint', z.object({ key: text, effect: text })),
    of('node-rebooted', z.object({ bootId: text })),
    of('event', z.object({ controller: text, type: text })),
  ]),
);
export type WireFact = z.infer<typeof WireFact>;

/** What happened to what the sources lead to: to all containers of it, and to what owns and carries it. */
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
  /** Facts that happened (of a series last) at or after `from`, at or before `to`. Without them all that the cluster has. */
  from: TimeText.optional(),
  to: TimeText.optional(),
  /** What happens from now on comes too. Needs an open end. */
  follow: z.boolean().optional(),
});
export type FactsQuery = z.infer<typeof FactsQuery>;

/** One line of the stream of facts (NDJSON). */
export const FactsFrame = z.discriminatedUnion('type', [
  /**
   * Before `read` they come in the total order of facts; after it as they become known, in any order. One whose id was
   * sent before replaces that: a series that goes on, or what is known better now. None is ever taken back.
   */
  z.object({ type: z.literal('facts'), q: LogQuery.shape.id, facts: z.array(WireFact) }),
  /**
   * `facts-forbidden`, with the missing right in its cause (`denied`), `facts-unreadable`, `facts-cut` and
   * `facts-confined` say which facts do not appear; each comes once.
   */
  NoticeFrame,
  /** Everything of the range that the cluster still has was sent, but for what notices name. */
  z.object({
    type: z.literal('read'),
    q: LogQuery.shape.id,
    /**
     * From then on all Events were read. The cluster drops them after a time (an hour by default): of
     * what happened before only the statuses of objects tell, which keep the last of each kind. Absent: it has none.
     */
    eventsSince: TimeText.optional(),
  }),
  DoneFrame,
  HeartbeatFrame,
  ClosingFrame,
]);
export type FactsFrame = z.infer<typeof FactsFrame>;
