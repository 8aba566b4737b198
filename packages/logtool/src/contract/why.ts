import { z } from '@hono/zod-openapi';
import type { DoubtKinds, VerdictKinds } from '../domain/verdicts/verdict.ts';
import { NoData } from './coded.ts';
import { WireError } from './error.ts';
import { FactsQuery, ImageChange, WireFact, WireSubject } from './facts.ts';
import { Why } from './kube-problems.ts';
import { GapCode, LogLack } from './log-lack.ts';
import { CodedNotice } from './notices.ts';
import { schemasOf } from './schemas-of.ts';
import { TimeText } from './wire-record.ts';

const text = z.string();
const count = z.int().nonnegative();

const ended = { container: text, exitCode: z.int(), lastedMs: z.number().optional() };
const Ended = z.object(ended);
const SignalEnd = z.object({ ...ended, signal: z.int() });
const OfImage = z.object({ container: text, image: text, answer: text });
const OnNode = z.object({ node: text.optional(), message: text });
const Message = z.object({ message: text });
/** What a rollout changed: images; none if it changed something else. */
const RolloutChange = z.object({ revision: z.int(), images: z.array(ImageChange).readonly() });
const Probe = z.enum(['liveness', 'readiness', 'startup']);
const NamedObject = z.enum(['ConfigMap', 'Secret']);

const NodeRefusal = z.object({
  nodes: count,
  reason: z.enum([
    'resource',
    'taint',
    'affinity',
    'volume-affinity',
    'pod-affinity',
    'topology-spread',
    'ports',
    'cordoned',
    'volumes',
    'other',
  ]),
  text,
});

/** The data of each verdict. */
const VERDICT_DATA = schemasOf<VerdictKinds>()({
  'oom-container': z.object({ ...ended, memoryLimit: text.optional() }),
  'oom-node': z.object({ ...ended, node: text, process: text.optional() }),
  'oom-child': z.object({ container: text, process: text, node: text }),
  evicted: OnNode,
  'evicted-by-request': OnNode,
  preempted: Message,
  'node-lost': z.object({
    node: text,
    isBack: z.boolean(),
    message: text.optional(),
    isUnread: z.boolean().optional(),
  }),
  'node-rebooted': z.object({ node: text }),
  'pods-deleted': z.object({ node: text.optional() }),
  'pods-terminating': z.object({
    isOverdue: z.boolean(),
    graceSeconds: count.optional(),
    finalizers: z.array(text).readonly(),
    waits: text.optional(),
  }),
  'probe-killed': z.object({
    container: text,
    probe: Probe,
    answer: text.optional(),
    exitCode: z.int().optional(),
  }),
  'killed-by-kubelet': z.object({ container: text, message: text, exitCode: z.int() }),
  'command-not-started': z.object({ ...ended, message: text }),
  'program-missing': Ended,
  'init-failed': Ended,
  'crashed-by-signal': SignalEnd,
  'stopped-by-signal': SignalEnd,
  crashed: Ended,
  'ended-without-failure': Ended,
  'image-tag-missing': OfImage,
  'image-missing-or-private': OfImage,
  'image-denied': OfImage,
  'image-rate-limited': OfImage,
  'image-registry-unreachable': OfImage,
  'image-name-invalid': OfImage,
  'image-not-pulled': OfImage,
  'object-missing': z.object({ kind: NamedObject, name: text, volume: text.optional() }),
  'key-missing': z.object({
    kind: NamedObject,
    name: text.optional(),
    key: text,
    volume: text.optional(),
  }),
  'container-not-created': z.object({ container: text, message: text }),
  unschedulable: z.object({
    nodes: count.optional(),
    refusals: z.array(NodeRefusal).readonly(),
    message: text,
  }),
  'volume-in-use': z.object({ volume: text }),
  'volume-not-attached': Message,
  'volume-not-mounted': Message,
  'scheduling-gated': Message,
  'readiness-gated': Message,
  'init-running': z.object({ container: text }),
  'job-held': z.object({ container: text, running: z.array(text).readonly() }),
  'job-suspended': z.object({ name: text, count: count.optional() }),
  'cronjob-suspended': z.object({ name: text, active: count }),
  'rollout-paused': z.object({ name: text, updated: count.optional(), replicas: count.optional() }),
  'sandbox-not-created': Message,
  'image-pulling': z.object({ container: text, image: text }),
  'restarted-again': z.object({ container: text }),
  'quota-exceeded': z.object({ quota: text, message: text, of: z.literal('Job').optional() }),
  'pods-refused': z.object({ message: text, of: z.literal('Job').optional() }),
  'deadline-exceeded': z.object({ kind: text, name: text, count: count.optional() }),
  'backoff-limit-exceeded': z.object({ name: text, count: count.optional() }),
  'probe-failing': z.object({ container: text, probe: Probe, answer: text }),
  'autoscaler-failing': Message,
  'rollout-stuck': z.object({
    name: text,
    images: z.array(ImageChange).readonly(),
    refusal: text.optional(),
  }),
  'rollout-waits': z.object({
    kind: text,
    name: text,
    images: z.array(ImageChange).readonly(),
    updated: count,
    total: count,
    isOutdated: z.boolean(),
  }),
  'log-errors': z.object({ container: text, errors: count, isNew: z.boolean() }),
});

/** `pod container` of the first few containers, and the number of further ones. */
const names = { names: z.array(text).readonly(), more: count };

/** The data of each doubt. */
const DOUBT_DATA = schemasOf<DoubtKinds>()({
  'events-unreadable': NoData,
  'nodes-unreadable': NoData,
  'pods-unreadable': NoData,
  'workloads-unreadable': NoData,
  'node-events-unreadable': NoData,
  'node-unread': z.object({ node: text }),
  'events-cut': z.object({ from: text }),
  'events-expired': NoData,
  'lines-unreadable': z.object({ container: text, why: LogLack, answer: Why.optional() }),
  'no-lines': z.object({ container: text }),
  'earlier-ends-unknown': z.object({ restarts: count }),
  'kubelet-unread': NoData,
  'sender-unknown': NoData,
  'deleter-unknown': NoData,
  'pods-by-name': z.object(names),
  'oom-on-node': z.object({ process: text, node: text }),
  'code-of-program': NoData,
  'oom-names-no-container': NoData,
  'may-end-again': z.object({ container: text, runsMs: z.number(), lastedMs: z.number() }),
  'kill-without-event': NoData,
  'end-without-event': NoData,
  'earlier-kill': Message,
  'probe-answer-old': z.object({ minutes: z.number() }),
  'begin-unknown': NoData,
  'failure-old': z.object({ minutes: z.number() }),
  'before-rollout': z.object({
    what: z.enum(['restarted', 'probe-failed']),
    container: text,
    at: text,
    images: z.array(ImageChange).readonly(),
    revision: count,
  }),
  'may-be-evicted-again': z.object({ times: count, seconds: z.number(), lastedSeconds: z.number() }),
  'slow-start-possible': NoData,
  'ends-unknown': NoData,
  'events-since': z.object({ from: text }),
  'logs-begin-late': z.object({ ...names, from: text, why: GapCode, answer: Why.optional() }),
  'logs-missing': z.object({
    ...names,
    why: GapCode,
    answer: Why.optional(),
    from: text.optional(),
    to: text.optional(),
  }),
  'kubelet-gives-no-reason': NoData,
  'process-by-name': z.object({ process: text }),
  'new-is-no-proof': NoData,
  'nothing-new-before': z.object({ ...names, seconds: count }),
  'too-little-before': NoData,
  'kinds-cut': z.object({ ...names, limit: count }),
  'logs-cut': z.object({ ...names, why: LogLack, until: text.optional() }),
  'logs-read-late': z.object({ from: text }),
  'steady-errors': z.object({
    ...names,
    errors: count,
    since: text,
    until: text,
    mayBeOlder: z.boolean(),
    startedAt: text.optional(),
    rollout: RolloutChange.optional(),
  }),
  'begun-in-gap': z.object({ ...names, from: text.optional() }),
});

type CodedAs<Kinds> = {
  [C in keyof Kinds]: { readonly code: C; readonly data: Kinds[C] };
}[keyof Kinds];

/** Makes one schema for the codes of a table; schemasOf has compared the table with the codes. */
function anyOf<Kinds, Rest>(
  table: Readonly<Record<string, z.ZodType>>,
  shape: z.ZodRawShape,
): z.ZodType<CodedAs<Kinds> & Rest> {
  const rows = Object.entries(table).map(([code, data]) =>
    z.object({ ...shape, code: z.literal(code), data }),
  );
  return z.union(rows) as unknown as z.ZodType<CodedAs<Kinds> & Rest>;
}

export const Doubt = anyOf<DoubtKinds, unknown>(DOUBT_DATA, {});

/** Lines that support a verdict. */
const ProofLines = z.object({
  namespace: text,
  pod: text,
  container: text,
  kind: z.enum(['before-exit', 'around']),
  at: TimeText,
  /** Index of the first error; absent if no line is an error. */
  firstError: count.optional(),
  lines: z.array(
    z.object({
      at: TimeText,
      /** The line; only the beginning if it is long. */
      text,
      /** The run (LogSource.order). */
      order: text,
      /** Its index among the lines of that time and run. */
      ordinal: count,
    }),
  ),
});

const logLine = {
  namespace: text,
  pod: text,
  container: text,
  at: TimeText,
  /** The first line of the record; only the beginning if it is long. */
  text,
  /** The most informative line of several. */
  detail: text.optional(),
  /** The run (LogSource.order). */
  order: text,
  /** Its index among the lines of that time and run. */
  ordinal: count,
};

/** The proof of `log-errors`. */
const LogProof = z.object({
  firstError: z.object(logLine),
  /** Whether its kind was not read before. */
  isFirstNew: z.boolean(),
  /**
   * Lines first written shortly before, most conspicuous first. `count`: how many lines of its kind were read
   * in total. `isAtStart`: its run had just started.
   */
  newBefore: z.array(z.object({ ...logLine, count, isAtStart: z.boolean() })),
  newCount: count,
});

const ofVerdict = {
  /** The first few pods. */
  pods: z.array(WireSubject),
  podCount: count,
  since: TimeText,
  until: TimeText,
  isOver: z.boolean(),
  /** Total restarts of its containers. */
  restarts: count,
  /** The newest facts, in order. */
  proof: z.array(WireFact),
  proofCount: count,
  lines: ProofLines.optional(),
  log: LogProof.optional(),
  doubts: z.array(Doubt),
  /** When the kubelet starts the container again. */
  nextTry: TimeText.optional(),
};

/** One cause, with its proof. */
export const WireVerdict = anyOf<VerdictKinds, z.output<z.ZodObject<typeof ofVerdict>>>(
  VERDICT_DATA,
  ofVerdict,
);
export type WireVerdict = z.output<typeof WireVerdict>;

/** Asks why the sources are in their state. */
export const WhyQuery = FactsQuery.omit({ to: true, follow: true }).extend({
  /** Omits what ended earlier; absent means an hour before now. */
  from: TimeText.optional(),
});
export type WhyQuery = z.output<typeof WhyQuery>;

/** Pods that run or should run; those that have ended, and those that are being deleted, are not in `total`. */
const PodCounts = z.object({
  /** The pods could not be read, so that none of the counts but `wanted` is known. */
  isUnread: z.literal(true).optional(),
  total: count,
  ready: count,
  wanted: count.optional(),
  ended: count.optional(),
  deleting: count.optional(),
});

/** A workload in trouble, if the sources mean several. */
const TroubledWorkload = z.object({
  subject: WireSubject,
  outcome: z.enum(['explained', 'healthy', 'unexplained', 'unread']),
  pods: PodCounts,
  since: TimeText.optional(),
  rollout: z.object({ fact: WireFact, secondsBefore: z.number() }).optional(),
  /** Indexes of its verdicts, and of its pods in `unexplained`. */
  verdicts: z.array(count),
  unexplained: z.array(count),
});

/**
 * Everything known about why the sources are in their state. Texts and lists are bounded; each count is the
 * total.
 */
export const WhyAnswer = z.object({
  /**
   * `explained`: every trouble has a verdict. `healthy`: the cluster's facts show no trouble, and no errors
   * begin in the part of the logs that was read. `unexplained`: something is wrong, and no rule explains it.
   * `unread`: logtool could not read anything.
   */
  outcome: z.enum(['explained', 'healthy', 'unexplained', 'unread']),
  from: TimeText,
  /** The facts cover the time from here on: `from`, or later if the cluster keeps no events of that time. */
  knownFrom: TimeText,
  /** The workload or pod that the sources mean; absent if they mean several. */
  subject: WireSubject.optional(),
  pods: PodCounts,
  /** The first known sign. */
  since: TimeText.optional(),
  /** A rollout shortly before that. A time, not a cause. */
  rollout: z.object({ fact: WireFact, secondsBefore: z.number() }).optional(),
  /** Ongoing causes first, then past ones; a cause precedes its effects. */
  verdicts: z.array(WireVerdict),
  verdictCount: count,
  /** Pods that are not ready and that no verdict explains. */
  unexplained: z.array(
    z.object({
      pod: WireSubject,
      phase: text,
      ageSeconds: z.number().optional(),
      waiting: text.optional(),
    }),
  ),
  unexplainedCount: count,
  also: z.array(z.object({ fact: WireFact, count, since: TimeText, until: TimeText })),
  /** Log lines were read because a trouble requires them. */
  hasReadLines: z.boolean(),
  /**
   * The logs were read to see whether errors begin in them: everything up to `until`; absent if none could be
   * read.
   */
  logs: z
    .object({
      containers: count,
      from: TimeText,
      /** Of some of them the log is known only from a later time on. */
      later: z.object({ containers: count, from: TimeText }).optional(),
      /** Errors in them that begin nowhere in what was read. */
      steady: z
        .object({
          errors: count,
          since: TimeText,
          until: TimeText,
          mayBeOlder: z.boolean(),
          /** When their containers started, if they come soon after, and nothing older of the workload can be read. */
          startedAt: TimeText.optional(),
          /** The rollout with which these containers started. */
          rollout: RolloutChange.optional(),
        })
        .optional(),
      until: TimeText.optional(),
    })
    .optional(),
  /** If there are several workloads: those in trouble, the first trouble first. */
  workloads: z.array(TroubledWorkload),
  workloadCount: count,
  /** The other workloads; names of the first few. */
  healthy: z.object({ count, names: z.array(text).readonly() }),
  /** Doubts about all verdicts. */
  doubts: z.array(Doubt),
  /** What prevented some facts from being read. */
  notices: z.array(CodedNotice),
  /** Sources that lead to nothing, and why. */
  failures: z.array(WireError),
});
export type WhyAnswer = z.output<typeof WhyAnswer>;
