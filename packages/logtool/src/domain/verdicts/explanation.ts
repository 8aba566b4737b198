import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactOf, FactSubject } from '../facts/fact.ts';
import type { Doubt, Verdict } from './verdict.ts';

/** Facts of one kind that no verdict uses: the latest, and how many there are. */
export interface OtherFacts {
  readonly fact: Fact;
  readonly count: number;
  readonly since: Timestamp;
  readonly until: Timestamp;
}

/** All that is known of why a source is as it is. */
export interface Explanation {
  /**
   * `explained`: every trouble has a verdict. `healthy`: the cluster's facts show none, now and in the time asked for, and
   * no errors begin in what was read of the logs (`logs`).
   * `unexplained`: something is not as it should be, and no rule knows why. `unread`: nothing could be read.
   */
  readonly outcome: 'explained' | 'healthy' | 'unexplained' | 'unread';
  /** What was over before is left out. */
  readonly from: Timestamp;
  /** The one workload or pod that the source means; undefined if it means several. */
  readonly subject: FactSubject | undefined;
  /** Those that run or are to run. `wanted`: as the workload's spec says, if it is read. */
  readonly pods: { readonly total: number; readonly ready: number; readonly wanted?: number | undefined };
  /** The first sign of the troubles that hold; of past ones if none does. */
  readonly since: Timestamp | undefined;
  /** A rollout shortly before that. A time, not a cause. */
  readonly rollout: { readonly fact: FactOf<'rollout'>; readonly secondsBefore: number } | undefined;
  /** What holds stands before what is over; what leads to something else before it. */
  readonly verdicts: readonly Verdict[];
  /** Pods that are not ready, of which no verdict says why. */
  readonly unexplained: readonly UnexplainedPod[];
  readonly also: readonly OtherFacts[];
  /** Lines of logs were read that a trouble asks for. */
  readonly hasReadLines: boolean;
  /** The logs of the containers were read, because the facts of some workload show no trouble. */
  readonly logs: ReadLogs | undefined;
  /** About all verdicts. */
  readonly doubts: readonly Doubt[];
  /**
   * If the source means several workloads: those with a trouble, each by itself, the first trouble first. The verdicts and what is
   * unexplained are those of all of them, in the same order.
   */
  readonly workloads: readonly Explanation[];
  /** The others of them: how many, and the names of the first. */
  readonly healthy: HealthyWorkloads;
}

/** What was read of logs to see whether errors begin in them. */
export interface ReadLogs {
  readonly containers: number;
  readonly from: Timestamp;
  /** All of them were read up to here; of those that could not be, a doubt tells. Undefined: none was. */
  readonly until: Timestamp | undefined;
}

export interface HealthyWorkloads {
  readonly count: number;
  readonly names: readonly string[];
}

export interface UnexplainedPod {
  readonly pod: FactSubject;
  readonly phase: string;
  /** Since it was made; a pod that is new may just be starting. */
  readonly ageSeconds: number | undefined;
  /** Why its first container that waits does so, in the cluster's word; undefined if none waits. */
  readonly waiting: string | undefined;
}
