import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { TokenUser } from '../access/authenticate.ts';
import type { NodeAgent } from '../node-agent.ts';
import type { Store } from '../store/store.ts';

/** What every request is answered from. */
export interface ApiContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly nodeAgent: NodeAgent;
  /** Of the users of the kubeconfig. */
  readonly tokens: readonly TokenUser[];
  /** The resourceVersion at which the server started: see watch.ts. */
  readonly floor: number;
  /** Aborted when a fault expires the watch. */
  readonly expire: AbortSignal;
}
