import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';

/** `fatal`: a run or a pod ended by a failure. `warning`: something needs attention. */
export const SEVERITIES = ['normal', 'warning', 'fatal'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The subject of a fact. */
export interface FactSubject {
  /** Kind as in the API: `Pod`, `Deployment`, `Node`. */
  readonly kind: string;
  /** Empty for kinds outside namespaces. */
  readonly namespace: string;
  readonly name: string;
  /** Empty if the cluster did not report it. */
  readonly uid: string;
  readonly container?: string | undefined;
  /** ID of the container's run, as its status reports it (`containerd://abc...`). */
  readonly run?: string | undefined;
}

/** An image of a container before and after a rollout; `from` is absent for a new container. */
export interface ImageChange {
  readonly container: string;
  readonly from?: string | undefined;
  /** Absent: the container was removed. */
  readonly to?: string | undefined;
}

/** The start of a container's run. */
interface RunStart {
  /** Count from the pod's status: 0 is the first run. */
  readonly restarts: number;
  readonly image?: string | undefined;
}

/**
 * The kinds of facts, each with its data. Texts come from the cluster; the command line and the page write the
 * sentences about a fact.
 */
export interface FactKinds {
  /** The first run of a container began. */
  readonly started: RunStart;
  /** A later run began, `afterMs` after the previous run ended. */
  readonly restarted: RunStart & { readonly afterMs?: number | undefined };
  readonly exited: {
    readonly exitCode: number;
    /** Number of the signal that ended it, if the runtime reported one. */
    readonly signal?: number | undefined;
    /** As written in its spec: `256Mi`. */
    readonly memoryLimit?: string | undefined;
    readonly lastedMs?: number | undefined;
    readonly restarts: number;
    readonly isInit: boolean;
    /** The pod was being deleted, so the end was requested. */
    readonly wasDeleted: boolean;
  };
  /** A container that cannot run yet; the reason is one of the kubelet's (`ImagePullBackOff`, `CrashLoopBackOff`). */
  readonly waiting: { readonly image?: string | undefined; readonly restarts: number };
  readonly ready: Readonly<Record<never, never>>;
  readonly 'not-ready': Readonly<Record<never, never>>;
  readonly scheduled: { readonly node?: string | undefined };
  readonly unschedulable: Readonly<Record<never, never>>;
  /** The pod must leave its node; its disruption condition or its status gives the reason. */
  readonly evicted: { readonly node?: string | undefined };
  /** The pod gave way to one of a higher priority. */
  readonly preempted: { readonly node?: string | undefined };
  /**
   * A client requested the deletion of the pod. `by`: the reason of its disruption condition, or the controller that
   * reports the deletion; absent: the cluster does not record who it was.
   */
  readonly deleted: { readonly graceSeconds?: number | undefined; readonly by?: string | undefined };
  /** The pod as a whole failed for another reason (`DeadlineExceeded`, `NodeLost`). */
  readonly failed: { readonly node?: string | undefined };
  /** A workload got a new template; `replicas`: how many pods of it are wanted now. */
  readonly rollout: {
    readonly revision: number;
    readonly images: readonly ImageChange[];
    readonly replicas?: number | undefined;
    /** Whether its pods have replaced the previous ones. Absent: the cluster does not report it for this revision. */
    readonly isOver?: boolean | undefined;
    /** How long the rollout took; absent if the cluster gives no time for it. */
    readonly lastedMs?: number | undefined;
    /** Name of the ReplicaSet whose pods it brought; only of a Deployment. */
    readonly replicaSet?: string | undefined;
    /** Name of its ControllerRevision, whose hash its pods have as a label; only of a StatefulSet or DaemonSet. */
    readonly controllerRevision?: string | undefined;
  };
  /**
   * A Deployment is paused, or a CronJob is suspended: until somebody resumes it, its controller rolls out no change, or
   * starts no Job. `updated` of `replicas`: pods of a Deployment with its current template, from a current status.
   * `active`: Jobs that a CronJob started before, and that still run.
   */
  readonly paused: {
    readonly updated?: number | undefined;
    readonly replicas?: number | undefined;
    readonly active?: number | undefined;
  };
  /**
   * A condition of a workload (`Progressing`, `ReplicaFailure`, `Failed`) changed to this status, or got this reason.
   * `heldMs`: at the end of a Deployment's rollout, how long it had gone on without a pause or a missed deadline.
   * `isOfAll`: a Deployment is available only while it has all pods that it wants.
   */
  readonly 'workload-condition': ConditionChange & {
    readonly heldMs?: number | undefined;
    readonly isOfAll?: true | undefined;
  };
  readonly 'node-condition': ConditionChange;
  readonly 'node-taint': { readonly key: string; readonly effect: string };
  /** The node runs under another boot ID than before. */
  readonly 'node-rebooted': { readonly bootId: string };
  /** The node's clock differs from the API server's by at least `offsetMs`; negative: it is behind. */
  readonly 'node-clock': { readonly offsetMs: number };
  /** An Event object, its series folded: `count` times from `at` to `until`. */
  readonly event: {
    /** The reporting controller: `kubelet`, `default-scheduler`. */
    readonly controller: string;
    /** Type from the cluster: `Normal`, `Warning`. */
    readonly type: string;
    /** The node of the reporting kubelet. */
    readonly node?: string | undefined;
  };
}

interface ConditionChange {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
}

export type FactKind = keyof FactKinds;

interface FactBase {
  /**
   * Stays the same for the same fact in every read. Facts with the same id replace each other (a continuing series).
   */
  readonly id: string;
  readonly at: Timestamp;
  /** For a series: when it happened last. */
  readonly until?: Timestamp | undefined;
  /** For a start that an Event counts together with earlier starts: when that count began. */
  readonly since?: Timestamp | undefined;
  /** Precision of these times in the cluster: most of a pod's status has whole seconds. */
  readonly precision: 's' | 'us' | 'ns';
  /** The cluster does not record this time: the fact happened at this time or later, but before it was read. */
  readonly bound?: 'not-before' | undefined;
  readonly severity: Severity;
  readonly subject: FactSubject;
  /** One word from the cluster (`OOMKilled`); empty if it gives none. */
  readonly reason: string;
  /** Message from the cluster; empty if it gives none. */
  readonly message: string;
  /** How often it happened; 1 unless it is a series. */
  readonly count: number;
  /** Id of the fact that led to this one, such as the exit before a restart. */
  readonly cause?: string | undefined;
  /** Where logtool read it. */
  readonly source: 'pod' | 'event' | 'workload' | 'node';
}

/** Something that happened in the cluster, as the cluster reports it. */
export type Fact = { readonly [K in FactKind]: FactOf<K> }[FactKind];
export type FactOf<K extends FactKind> = FactBase & { readonly kind: K; readonly data: FactKinds[K] };

/**
 * Returns the position of a fact among records, by time only. A series is placed where it happened last, as `kubectl
 * events` sorts; whole seconds at the end of their second, because the cluster truncates the fraction.
 */
export function positionOf({ at, until, precision }: Fact): Timestamp {
  const time = until ?? at;
  if (precision === 's') return { seconds: time.seconds, nanos: 999_999_999 };
  return precision === 'us' ? { seconds: time.seconds, nanos: endOfMicrosecond(time.nanos) } : time;
}

function endOfMicrosecond(nanos: number): number {
  return nanos - (nanos % 1000) + 999;
}

/**
 * Ranks facts with equal times: an end comes first and a start late, because one run ends before the next begins, and a
 * pod becomes ready only after its containers have started.
 */
function rankOf({ kind }: Fact): number {
  if (kind === 'exited') return 0;
  if (kind === 'ready') return 3;
  return isStart(kind) ? 2 : 1;
}

/** Whether a fact of this kind begins a run. */
export function isStart(kind: FactKind): boolean {
  return kind === 'started' || kind === 'restarted';
}

/** The total order of facts: (position, rank, id). */
export function compareFacts(a: Fact, b: Fact): number {
  const byTime = compareTimestamps(positionOf(a), positionOf(b));
  return byTime || rankOf(a) - rankOf(b) || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
}

/** Notable besides failures: what the end of a run leads to, and what may have caused it. */
const NOTABLE: ReadonlySet<FactKind> = new Set(['exited', 'restarted', 'node-rebooted']);

/** Whether a reader who follows a log wants to see a fact without asking for it. */
export function isNotable(fact: Fact): boolean {
  // The first revision replaces nothing: it creates the workload.
  const isRollout = fact.kind === 'rollout' && fact.data.revision > 1;
  return isAtLeast(fact, 'warning') || isRollout || NOTABLE.has(fact.kind);
}

/** Whether a fact is at least as severe as `severity`. */
export function isAtLeast(fact: Pick<Fact, 'severity'>, severity: Severity): boolean {
  return SEVERITIES.indexOf(fact.severity) >= SEVERITIES.indexOf(severity);
}
