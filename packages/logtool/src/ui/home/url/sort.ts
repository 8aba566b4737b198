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

/** Columns that the first click sorts in descending order: users want the highest or newest first. */
const DESCENDS_FIRST: ReadonlySet<SortColumn> = new Set(['restarts', 'event', 'errors', 'size', 'line']);

export interface SortOrder {
  readonly sort: SortColumn;
  readonly isDescending: boolean;
}

/** Returns the order after a click on a column header. */
export function sortedBy({ sort, isDescending }: SortOrder, column: SortColumn): SortOrder {
  const isAgain = column === sort;
  return { sort: column, isDescending: isAgain ? !isDescending : DESCENDS_FIRST.has(column) };
}

/** Sort keys of a row; undefined (unknown) sorts last in both directions. */
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

/**
 * Returns a new array sorted by a column; ties sort by name, namespace and kind, so that the order is stable.
 */
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
