import type { WireError } from '../../contract/error.ts';
import type { StateFrame } from './feed-state.ts';
import type { TableChanges } from './workload-table.ts';

export interface Denial {
  readonly namespace: string;
  readonly error: WireError;
}

/** A view that shows the rows. */
export interface FeedListener {
  /** Everything is known except the pods, which take long in a big cluster: rows exist, marked `isPartial`. */
  onListed(): void;
  onReady(): void;
  onChanges(changes: TableChanges): void;
  onDenied(denial: Denial): void;
  onState(state: StateFrame): void;
}
