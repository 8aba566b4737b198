import type { ResourceType } from '@logtool/kube/src/client.ts';
import type { Tally } from '../explain/tally.ts';
import type { SourceGroup } from '../sources/source-group.ts';

export interface TrackerOptions {
  readonly group: SourceGroup;
  readonly type: ResourceType;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly signal: AbortSignal;
  /** Told once, when what exists now is known. Throwing ends the tracker. */
  readonly onSynced: (tally: Tally) => Promise<void>;
  /** Whether more pods may come; told at each change after the first look too. */
  readonly onOpen: (open: boolean) => void;
}
