import { useMemo, useState } from 'react';
import type { Workload } from '../../../contract/workload.ts';
import type { WorkloadList } from '../feed/workload-store.ts';
import type { HomeUrl } from '../url/home-url.ts';
import { sortWorkloads } from '../url/sort.ts';
import { type Counts, countWorkloads, filterWorkloads } from './filter.ts';
import { type HeldRows, holdOrder, showOrder } from './hold-order.ts';

/** The rows of the list, and the count of each kind. */
export interface Rows {
  readonly held: HeldRows;
  readonly counts: Counts;
  /** Shows rows that were added and removed meanwhile, even while the user points at the list. */
  readonly update: () => void;
}

/** Returns the rows of the list: filtered, sorted, and fixed in position while `isHeld`. */
export function useRows(list: WorkloadList, url: HomeUrl, isHeld: boolean): Rows {
  const { workloads } = list;
  const { ns, kind, q, sort, isDescending } = url;
  const counts = useMemo(() => countWorkloads(workloads.values(), { ns, kind, q }), [workloads, ns, kind, q]);
  const sorted = useMemo(
    () => sortWorkloads(filterWorkloads(workloads.values(), { ns, kind, q }), sort, isDescending),
    [workloads, ns, kind, q, sort, isDescending],
  );
  // The user chose another filter or order: apply it at once.
  const view = JSON.stringify([url.ctx, ns, kind, q, sort, isDescending, list.isComplete]);
  const [hold, setHold] = useState<
    { readonly view: string; readonly rows: readonly Workload[] } | undefined
  >();
  if (isHeld && hold?.view !== view) setHold({ view, rows: sorted });
  if (!isHeld && hold !== undefined) setHold(undefined);
  const held = useMemo(
    () => (hold === undefined || hold.view !== view ? showOrder(sorted) : holdOrder(hold.rows, sorted)),
    [hold, view, sorted],
  );
  return { held, counts, update: () => setHold({ view, rows: sorted }) };
}
