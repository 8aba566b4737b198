export const ONE_NAMESPACE_NOTE =
  'logtool listed only the default namespace: the cluster does not let logtool list all; name others with namespace';

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
  readonly isFailing: boolean;
  readonly lastExit?: string | undefined;
  readonly waiting?: string | undefined;
  readonly lastWarning?: string | undefined;
}

/** Describes a workload in one line. */
export function workloadText({
  source,
  state,
  isFailing,
  lastExit,
  waiting,
  lastWarning,
}: ShownWorkload): string {
  const details = [
    isFailing ? 'needs attention' : undefined,
    waiting && `waiting: ${waiting}`,
    lastExit && `last exit: ${lastExit}`,
    lastWarning && `last warning: ${lastWarning}`,
  ].filter((detail) => detail !== undefined);
  return [`${source} ${state}`, ...details].join('; ');
}
