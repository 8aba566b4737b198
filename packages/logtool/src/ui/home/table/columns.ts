import type { SortColumn } from '../url/sort.ts';

interface HomeColumn {
  readonly className: string;
  readonly label: string;
  /** Undefined: not sortable. */
  readonly sort: SortColumn | undefined;
  /** Width in the skeleton, computed from that of a name; undefined: empty. */
  readonly bonePx?: (namePx: number) => number;
  /** The in-cluster agent fills this column: shown only if there is an agent. */
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

/** Returns the columns of the list; columns of the agent only if there is one. */
export function homeColumns(hasAgent: boolean): readonly HomeColumn[] {
  return HOME_COLUMNS.filter(({ ofAgent }) => hasAgent || ofAgent !== true);
}
