import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { TokenUser } from '../access/authenticate.ts';
import type { NodeAgent } from '../node-agent.ts';
import type { Store } from '../store/store.ts';
import type { Aggregator } from './aggregation/aggregator.ts';

/** What the server needs to handle a request. */
export interface ApiContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly nodeAgent: NodeAgent;
  readonly aggregator: Aggregator;
  /** Tokens of the kubeconfig's users. */
  readonly tokens: readonly TokenUser[];
  /** The resourceVersion at which the server started: see watch.ts. */
  readonly floor: number;
  /** Aborted when a fault expires the watch. */
  readonly expire: AbortSignal;
}
