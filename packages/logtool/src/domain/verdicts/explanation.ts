import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactOf, FactSubject } from '../facts/fact.ts';
import type { Doubt, RolloutChange, Verdict } from './verdict.ts';

/** Facts of one kind that no verdict uses: the latest one, and their number. */
export interface OtherFacts {
  readonly fact: Fact;
  readonly count: number;
  readonly since: Timestamp;
  readonly until: Timestamp;
}

/** Pods that run or should run, and the others. */
export interface PodCounts {
  /** The pods could not be read, so that none of the counts but `wanted` is known. */
  readonly isUnread?: true | undefined;
  readonly total: number;
  readonly ready: number;
  /** From the workload's object, if it was read. */
  readonly wanted?: number | undefined;
  /** Pods that have ended; they are not in `total`. */
  readonly ended?: number | undefined;
  /** Pods that are being deleted; they are not in `total`. */
  readonly deleting?: number | undefined;
}

/** Everything known about why a source is in its state. */
export interface Explanation {
  /**
   * `explained`: every problem has a verdict. `healthy`: the cluster's facts show no problem, now and in the requested
   * time, and no errors begin in the logs read (`logs`); there may be errors that begin nowhere there. `unexplained`: something is wrong, and no rule explains it.
   * `unread`: logtool could not read anything, or not the pods, and nothing else shows a trouble.
   */
  readonly outcome: 'explained' | 'healthy' | 'unexplained' | 'unread';
  /** The explanation leaves out what ended before this time. */
  readonly from: Timestamp;
  /**
   * The facts cover the time from here on: `from`, or later if the cluster keeps no events of that time. Of what is
   * `healthy`: nothing is known to have been wrong since.
   */
  readonly knownFrom: Timestamp;
  /** The one workload or pod of the source; undefined if it names several. */
  readonly subject: FactSubject | undefined;
  readonly pods: PodCounts;
  /** The first sign of the current problems; of past ones if none is current. */
  readonly since: Timestamp | undefined;
  /** A rollout shortly before that. A coincidence in time, not a proven cause. */
  readonly rollout: { readonly fact: FactOf<'rollout'>; readonly secondsBefore: number } | undefined;
  /** Current ones come before past ones, and causes before their effects. */
  readonly verdicts: readonly Verdict[];
  /** Pods that are not ready and that no verdict explains. */
  readonly unexplained: readonly UnexplainedPod[];
  readonly also: readonly OtherFacts[];
  /** Logtool read lines of logs because a problem required them. */
  readonly hasReadLines: boolean;
  /** Logtool read the logs of the containers, because the facts of some workload show no problem, or do not explain one. */
  readonly logs: ReadLogs | undefined;
  /** Doubts about all verdicts. */
  readonly doubts: readonly Doubt[];
  /**
   * If the source names several workloads: a separate explanation of each one with a problem, the earliest problem
   * first. `verdicts` and `unexplained` cover all of them, in the same order.
   */
  readonly workloads: readonly Explanation[];
  /** The other workloads: their number, and the first names. */
  readonly healthy: HealthyWorkloads;
}

/** Errors that logtool read, the first and the last of them. */
export interface ReadErrors {
  readonly errors: number;
  readonly since: Timestamp;
  readonly until: Timestamp;
  /** They come so early in what was read that there may have been others before it. */
  readonly mayBeOlder: boolean;
  /**
   * They come soon after their containers started, at this time, and nothing older of the workload can be read: whether
   * they are new is not known.
   */
  readonly startedAt?: Timestamp | undefined;
  /** The rollout with which these containers started, if one is known. */
  readonly rollout?: RolloutChange | undefined;
}

/** The range of logs read to check whether errors begin in them. */
export interface ReadLogs {
  readonly containers: number;
  readonly from: Timestamp;
  /** Of some of them the log is known only from a later time on. */
  readonly later?: { readonly containers: number; readonly from: Timestamp } | undefined;
  /** Errors in them that begin nowhere in what was read. */
  readonly steady?: ReadErrors | undefined;
  /** All containers were read up to here; a doubt names those that could not be read. Undefined: none was read. */
  readonly until: Timestamp | undefined;
}

export interface HealthyWorkloads {
  readonly count: number;
  readonly names: readonly string[];
}

export interface UnexplainedPod {
  readonly pod: FactSubject;
  readonly phase: string;
  /** Age since creation; a new pod may still be starting. */
  readonly ageSeconds: number | undefined;
  /** The cluster's reason why its first waiting container waits; undefined if none waits. */
  readonly waiting: string | undefined;
}
