import type { Workload } from '../../../contract/workload.ts';
import { compareNatural } from '../../../messages/natural-order.ts';

export const SORT_COLUMNS = [
  'name',
  'namespace',
  'kind',
  'pods',
  'restarts',
  'event',
  'errors',
  'size',
  'line',
] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

/** Whether the first click sorts downward: people want the highest, or the newest. */
const DESCENDS_FIRST: ReadonlySet<SortColumn> = new Set(['restarts', 'event', 'errors', 'size', 'line']);

export interface SortOrder {
  readonly sort: SortColumn;
  readonly isDescending: boolean;
}

/** The order after a click on the header of a column. */
export function sortedBy({ sort, isDescending }: SortOrder, column: SortColumn): SortOrder {
  const isAgain = column === sort;
  return { sort: column, isDescending: isAgain ? !isDescending : DESCENDS_FIRST.has(column) };
}

/** What a row is sorted by; undefined (nothing known) goes last in both directions. */
const KEYS: { readonly [C in SortColumn]: (workload: Workload) => string | number | undefined } = {
  name: (workload) => workload.name,
  namespace: (workload) => workload.namespace,
  kind: (workload) => workload.kindName,
  pods: (workload) => (workload.podsTotal === 0 ? undefined : workload.podsReady / workload.podsTotal),
  restarts: (workload) => workload.restarts,
  event: (workload) => workload.lastEvent && Date.parse(workload.lastEvent.at),
  errors: (workload) => workload.agent?.errors.reduce((sum, count) => sum + count, 0),
  size: (workload) => workload.agent?.sizeBytes,
  line: (workload) => workload.agent?.lastLineAt && Date.parse(workload.agent.lastLineAt),
};

/** A new array in the order of a column; equal rows by name, namespace, kind, so that the order is always the same. */
export function sortWorkloads(
  workloads: readonly Workload[],
  column: SortColumn,
  isDescending: boolean,
): readonly Workload[] {
  const key = KEYS[column];
  const sign = isDescending ? -1 : 1;
  return workloads
    .map((workload) => ({ workload, key: key(workload) }))
    .sort((a, b) => {
      if (a.key === undefined || b.key === undefined) {
        if (a.key !== b.key) return a.key === undefined ? 1 : -1;
      } else if (a.key !== b.key) return sign * compareKeys(a.key, b.key);
      return compareNames(a.workload, b.workload);
    })
    .map(({ workload }) => workload);
}

function compareKeys(a: string | number, b: string | number): number {
  return typeof a === 'number' || typeof b === 'number' ? Number(a) - Number(b) : compareNatural(a, b);
}

function compareNames(a: Workload, b: Workload): number {
  return (
    compareNatural(a.name, b.name) ||
    compareNatural(a.namespace, b.namespace) ||
    compareNatural(a.kind, b.kind) ||
    compareNatural(a.id, b.id)
  );
}
