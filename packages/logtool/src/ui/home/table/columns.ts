import type { SortColumn } from '../list/sort.ts';

interface HomeColumn {
  readonly className: string;
  readonly label: string;
  /** Undefined: not sortable. */
  readonly sort: SortColumn | undefined;
  /** Width in the skeleton, given that of a name; undefined: empty there. */
  readonly bonePx?: (namePx: number) => number;
  /** Filled in by the in-cluster agent: shown only if there is one. */
  readonly ofAgent?: boolean;
}

const HOME_COLUMNS: readonly HomeColumn[] = [
  { className: 'c-name', label: 'Name', sort: 'name', bonePx: (namePx) => namePx * 1.6 },
  { className: 'c-namespace', label: 'Namespace', sort: 'namespace', bonePx: () => 64 },
  { className: 'c-kind', label: 'Kind', sort: 'kind', bonePx: () => 64 },
  { className: 'c-pods', label: 'Pods', sort: 'pods', bonePx: () => 24 },
  { className: 'c-restarts', label: 'Restarts', sort: 'restarts' },
  { className: 'c-event', label: 'Last event', sort: 'event' },
  { className: 'c-activity', label: 'Last 30 min', sort: 'errors', ofAgent: true },
  { className: 'c-size num', label: 'Size', sort: 'size', ofAgent: true },
  { className: 'c-line num', label: 'Last line', sort: 'line', ofAgent: true },
];

/** The columns of the list; those that only the agent fills are there with it. */
export function homeColumns(hasAgent: boolean): readonly HomeColumn[] {
  return HOME_COLUMNS.filter(({ ofAgent }) => hasAgent || ofAgent !== true);
}
