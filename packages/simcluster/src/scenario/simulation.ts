import type { Cluster } from '../controllers/cluster.ts';
import type { HistoryClock } from '../controllers/history-clock.ts';
import type { Behaviors } from '../controllers/pods/behaviors.ts';
import type { Kubelets } from '../controllers/pods/kubelets.ts';
import type { SimulatedRuntime } from '../kubelet/simulated-runtime.ts';
import type { Store } from '../store/store.ts';
import type { TimelineEvent } from './timeline-schema.ts';

/** A running scenario: everything in a cluster except its API server. */
export interface Simulation {
  readonly store: Store;
  readonly clock: HistoryClock;
  readonly runtime: SimulatedRuntime;
  readonly kubelets: Kubelets;
  readonly behaviors: Behaviors;
  readonly cluster: Cluster;
  readonly defaultNamespace: string;
  /** Plays one event now. Throws a SimClusterError if it names something that does not exist. */
  act(event: TimelineEvent): void;
  close(): Promise<void>;
}
