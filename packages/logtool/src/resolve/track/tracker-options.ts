import type { ResourceType } from '@logtool/kube/src/client.ts';
import type { Tally } from '../explain/tally.ts';
import type { SourceGroup } from '../sources/source-group.ts';

export interface TrackerOptions {
  readonly group: SourceGroup;
  readonly type: ResourceType;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly signal: AbortSignal;
  /** Called once, when all present objects are known. Throwing ends the tracker. */
  readonly onSynced: (tally: Tally) => Promise<void>;
  /** Whether more pods may come; called at each change after the first read too. */
  readonly onOpen: (open: boolean) => void;
}
