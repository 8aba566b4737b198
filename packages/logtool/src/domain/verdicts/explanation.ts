import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactOf, FactSubject } from '../facts/fact.ts';
import type { Doubt, Verdict } from './verdict.ts';

/** Facts of one kind that no verdict uses: the latest one, and their number. */
export interface OtherFacts {
  readonly fact: Fact;
  readonly count: number;
  readonly since: Timestamp;
  readonly until: Timestamp;
}

/** Everything known about why a source is in its state. */
export interface Explanation {
  /**
   * `explained`: every trouble has a verdict. `healthy`: the cluster's facts show none, now and in the time asked for, and
   * no errors begin in what was read of the logs (`logs`).
   * `unexplained`: something is not as it should be, and no rule knows why. `unread`: nothing could be read.
   */
  readonly outcome: 'explained' | 'healthy' | 'unexplained' | 'unread';
  /** The explanation leaves out what ended before this time. */
  readonly from: Timestamp;
  /** The one workload or pod of the source; undefined if it names several. */
  readonly subject: FactSubject | undefined;
  /** Pods that run or should run. `wanted`: from the workload's spec, if it was read. */
  readonly pods: { readonly total: number; readonly ready: number; readonly wanted?: number | undefined };
  /** The first sign of the current problems; of past ones if none is current. */
  readonly since: Timestamp | undefined;
  /** A rollout shortly before that. A coincidence in time, not a proven cause. */
  readonly rollout: { readonly fact: FactOf<'rollout'>; readonly secondsBefore: number } | undefined;
  /** Current ones come before past ones, and causes before their effects. */
  readonly verdicts: readonly Verdict[];
  /** Pods that are not ready and that no verdict explains. */
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
  /** Age since creation; a new pod may still be starting. */
  readonly ageSeconds: number | undefined;
  /** The cluster's reason why its first waiting container waits; undefined if none waits. */
  readonly waiting: string | undefined;
}
