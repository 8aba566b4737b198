import type { Workload } from '../../../contract/workload.ts';

export interface HeldRow {
  readonly workload: Workload;
  /**
   * The workload no longer exists, or is no longer in the list; its row stays until the order is released.
   */
  readonly isGone: boolean;
}

export interface HeldRows {
  readonly rows: readonly HeldRow[];
  /** New rows that are not shown yet. */
  readonly added: number;
  readonly gone: number;
}

/**
 * Returns the rows while the user points at the list: each keeps its position and shows its newest values, so
 * that nothing moves under the pointer. `held`: the rows when the pointer arrived.
 */
export function holdOrder(held: readonly Workload[], now: readonly Workload[]): HeldRows {
  const byId = new Map(now.map((workload) => [workload.id, workload]));
  let gone = 0;
  const rows = held.map((before): HeldRow => {
    const workload = byId.get(before.id);
    if (workload === undefined) {
      gone++;
      return { workload: before, isGone: true };
    }
    return { workload, isGone: false };
  });
  return { rows, added: now.length - (held.length - gone), gone };
}

export function showOrder(now: readonly Workload[]): HeldRows {
  return { rows: now.map((workload) => ({ workload, isGone: false })), added: 0, gone: 0 };
}
