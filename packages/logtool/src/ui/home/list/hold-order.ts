import type { Workload } from '../../../contract/workload.ts';

export interface HeldRow {
  readonly workload: Workload;
  /** It does not exist any more, or is not part of the list; its place is kept until the order is let go. */
  readonly isGone: boolean;
}

export interface HeldRows {
  readonly rows: readonly HeldRow[];
  /** Rows that came meanwhile and are not shown yet. */
  readonly added: number;
  readonly gone: number;
}

/**
 * The rows while somebody points at the list: each stays where it is, with its newest values; nothing moves under the
 * pointer. `held`: the rows as they were when the pointer came.
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
