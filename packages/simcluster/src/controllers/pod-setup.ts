import type { ContainerRuntime } from '../kubelet/runtime.ts';
import type { Behaviours } from './behaviours.ts';
import type { Cluster } from './cluster.ts';
import type { Registries } from './registries.ts';

/** What the worker of a pod is given. */
export interface PodSetup {
  readonly cluster: Cluster;
  readonly runtime: ContainerRuntime;
  readonly behaviours: Behaviours;
  readonly registries: Registries;
  readonly skewMs: number;
  readonly hostIP: string;
  readonly podIP: string;
  /** While the node's kubelet is down nothing is started and nothing is reported. */
  kubeletUp(): boolean;
  onGone(): void;
}
