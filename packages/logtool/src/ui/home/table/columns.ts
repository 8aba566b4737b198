import type { SortColumn } from './sort.ts';

interface HomeColumn {
  readonly className: string;
  readonly label: string;
  /** Undefined: not sortable. */
  readonly sort: SortColumn | undefined;
  /** Filled in by the in-cluster agent. */
  readonly ofAgent?: boolean;
}

/** Said once, in place of the columns that the agent fills. */
export const AGENT_NEEDED = 'Activity and sizes need the in-cluster agent';
export const NO_AGENT_YET = 'The agent is not part of this version of logtool.';

export const HOME_COLUMNS: readonly HomeColumn[] = [
  { className: 'c-name', label: 'Name', sort: 'name' },
  { className: 'c-namespace', label: 'Namespace', sort: 'namespace' },
  { className: 'c-kind', label: 'Kind', sort: 'kind' },
  { className: 'c-pods', label: 'Pods', sort: 'pods' },
  { className: 'c-restarts', label: 'Restarts', sort: 'restarts' },
  { className: 'c-event', label: 'Last event', sort: 'event' },
  { className: 'c-activity', label: 'Last 30 min', sort: 'errors', ofAgent: true },
  { className: 'c-size num', label: 'Size', sort: 'size', ofAgent: true },
  { className: 'c-line num', label: 'Last line', sort: 'line', ofAgent: true },
];
