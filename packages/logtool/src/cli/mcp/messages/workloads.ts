import type { ProblemKind } from '../../../domain/verdicts/workload-problem.ts';

export const ONE_NAMESPACE_NOTE =
  'logtool listed only the default namespace: the cluster does not let logtool list all; name others with namespace';

/** The state of a workload whose pods could not be listed. */
export const UNREAD_STATE = 'pods unread';

export function unlistedText(kind: string, why: string): string {
  return `logtool could not list ${kind}: ${why}`;
}

export function cutKindText(kind: string, count: number): string {
  return `logtool read only the first ${count} ${kind}`;
}

/** Counts the workloads, and says which are shown: from `offset` up to `end`. */
export function foundText({
  total,
  offset,
  end,
}: {
  readonly total: number;
  readonly offset: number;
  readonly end: number;
}): string {
  const found = total === 1 ? '1 workload' : `${total} workloads`;
  if (offset === 0 && end === total) return `${found}; those that need attention come first`;
  const rest = end < total ? `; offset=${end} continues` : '';
  return `${found}, of which ${Math.max(0, end - offset)} from offset ${offset}${rest}`;
}

interface ShownWorkload {
  readonly source: string;
  readonly state: string;
  readonly problem?: ProblemKind | undefined;
  readonly lastExit?: string | undefined;
  readonly waiting?: string | undefined;
  readonly lastWarning?: string | undefined;
}

const PROBLEMS: Readonly<Record<ProblemKind, string>> = {
  failing: 'failing',
  'not-ready': 'pods not ready',
  restarted: 'restarted in the last hour',
  warning: 'warnings in the last 15 min',
};

/** Describes a workload in one line. */
export function workloadText({
  source,
  state,
  problem,
  lastExit,
  waiting,
  lastWarning,
}: ShownWorkload): string {
  const details = [
    problem && `needs attention: ${PROBLEMS[problem]}`,
    waiting && `waiting: ${waiting}`,
    lastExit && `last exit: ${lastExit}`,
    lastWarning && `last warning: ${lastWarning}`,
  ].filter((detail) => detail !== undefined);
  return [`${source} ${state}`, ...details].join('; ');
}
