import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';

/** `fatal`: a run or a pod ended by a failure. `warning`: something needs a look. */
export const SEVERITIES = ['normal', 'warning', 'fatal'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What a fact is about. */
export interface FactSubject {
  /** As the API names it: `Pod`, `Deployment`, `Node`. */
  readonly kind: string;
  /** Empty for kinds outside namespaces. */
  readonly namespace: string;
  readonly name: string;
  /** Empty if the cluster did not say it. */
  readonly uid: string;
  readonly container?: string | undefined;
  /** ID of the run of the container, as its status reports it (`containerd://abc...`). */
  readonly run?: string | undefined;
}

/** An image of a container before and after a rollout; `from` is absent where the container is new. */
export interface ImageChange {
  readonly container: string;
  readonly from?: string | undefined;
  /** Absent: the container is gone. */
  readonly to?: string | undefined;
}

/** A run of a container that began. */
interface RunStart {
  /** As the status of its pod counts: 0 is the first run. */
  readonly restarts: number;
  readonly image?: string | undefined;
}

/**
 * The kinds of facts, each with its data. Texts are the cluster's own: sentences about a fact belong to the command line
 * and the page.
 */
export interface FactKinds {
  /** The first run of a container began. */
  readonly started: RunStart;
  /** A later run began, `afterMs` after the run before it ended. */
  readonly restarted: RunStart & { readonly afterMs?: number | undefined };
  readonly exited: {
    readonly exitCode: number;
    /** Number of the signal that ended it, if the runtime said so. */
    readonly signal?: number | undefined;
    /** As its spec says it: `256Mi`. */
    readonly memoryLimit?: string | undefined;
    readonly lastedMs?: number | undefined;
    readonly restarts: number;
    readonly isInit: boolean;
    /** The pod was being deleted, so that the end was asked for. */
    readonly wasDeleted: boolean;
  };
  /** A container that cannot run yet; the reason is one of the kubelet's (`ImagePullBackOff`, `CrashLoopBackOff`). */
  readonly waiting: { readonly image?: string | undefined; readonly restarts: number };
  readonly ready: Readonly<Record<never, never>>;
  readonly 'not-ready': Readonly<Record<never, never>>;
  readonly scheduled: { readonly node?: string | undefined };
  readonly unschedulable: Readonly<Record<never, never>>;
  /** The pod has to leave its node: its disruption condition or its status says why. */
  readonly evicted: { readonly node?: string | undefined };
  /** The pod gave way to one of a higher priority. */
  readonly preempted: { readonly node?: string | undefined };
  /** Somebody asked for the deletion of the pod. */
  readonly deleted: { readonly graceSeconds?: number | undefined };
  /** The pod as a whole failed for another reason (`DeadlineExceeded`, `NodeLost`). */
  readonly failed: { readonly node?: string | undefined };
  /** A workload got another template; `replicas`: how many pods of it are wanted now. */
  readonly rollout: {
    readonly revision: number;
    readonly images: readonly ImageChange[];
    readonly replicas?: number | undefined;
    /** Whether its pods have replaced those before. Absent: the cluster does not say it of this revision. */
    readonly isOver?: boolean | undefined;
    /** How long that took; absent where the cluster does not date it. */
    readonly lastedMs?: number | undefined;
  };
  /** A condition of a workload (`Progressing`, `ReplicaFailure`, `Failed`) changed to this status. */
  readonly 'workload-condition': ConditionChange;
  readonly 'node-condition': ConditionChange;
  readonly 'node-taint': { readonly key: string; readonly effect: string };
  /** The node runs under another boot ID than before. */
  readonly 'node-rebooted': { readonly bootId: string };
  /** An Event object, its series folded: `count` times from `at` to `until`. */
  readonly event: {
    /** Who reported it: `kubelet`, `default-scheduler`. */
    readonly controller: string;
    /** As the cluster ranks it: `Normal`, `Warning`. */
    readonly type: string;
  };
}

interface ConditionChange {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
}

export type FactKind = keyof FactKinds;

interface FactBase {
  /** The same for the same fact in every read; facts of one id replace each other (a series that goes on). */
  readonly id: string;
  readonly at: Timestamp;
  /** Of a series: when it happened last. */
  readonly until?: Timestamp | undefined;
  /** Of a start that an Event counts with the starts before it: when that counted first. */
  readonly since?: Timestamp | undefined;
  /** How precise the cluster writes these times: most of a pod's status has whole seconds. */
  readonly precision: 's' | 'us' | 'ns';
  /** The cluster does not write this time: it happened then or later, and no later than it was read. */
  readonly bound?: 'not-before' | undefined;
  readonly severity: Severity;
  readonly subject: FactSubject;
  /** One word of the cluster (`OOMKilled`); empty if it has none. */
  readonly reason: string;
  /** In the cluster's own words; empty if it has none. */
  readonly message: string;
  /** How often it happened; 1 unless it is a series. */
  readonly count: number;
  /** Id of the fact that led to this one: of the exit before a restart. */
  readonly cause?: string | undefined;
  /** Where it was read. */
  readonly source: 'pod' | 'event' | 'workload' | 'node';
}

/** Something that happened in the cluster, as the cluster itself reports it. */
export type Fact = { readonly [K in FactKind]: FactOf<K> }[FactKind];
export type FactOf<K extends FactKind> = FactBase & { readonly kind: K; readonly data: FactKinds[K] };

/**
 * Where a fact lies among records, by time alone: a series where it happened last, as `kubectl events` sorts; whole
 * seconds at the end of their second, because the cluster cuts the fraction off.
 */
export function positionOf({ at, until, precision }: Fact): Timestamp {
  const time = until ?? at;
  if (precision === 's') return { seconds: time.seconds, nanos: 999_999_999 };
  return precision === 'us' ? { seconds: time.seconds, nanos: endOfMicrosecond(time.nanos) } : time;
}

function endOfMicrosecond(nanos: number): number {
  return nanos - (nanos % 1000) + 999;
}

/** Of facts at one time an end comes first and a start last: one run ends before the next begins. */
function rankOf({ kind }: Fact): number {
  if (kind === 'exited') return 0;
  return isStart(kind) ? 2 : 1;
}

/** Whether a run begins with a fact of this kind. */
export function isStart(kind: FactKind): boolean {
  return kind === 'started' || kind === 'restarted';
}

/** The total order of facts: (position, rank, id). */
export function compareFacts(a: Fact, b: Fact): number {
  const byTime = compareTimestamps(positionOf(a), positionOf(b));
  return byTime || rankOf(a) - rankOf(b) || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
}

/** Whether a fact is at least that severe. */
export function isAtLeast(fact: Pick<Fact, 'severity'>, severity: Severity): boolean {
  return SEVERITIES.indexOf(fact.severity) >= SEVERITIES.indexOf(severity);
}
