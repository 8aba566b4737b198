/** Counts the facts, and says which are shown: not the `offset` newest ones. */
export function happenedText({
  total,
  shown,
  offset,
  isWhole,
}: {
  readonly total: number;
  readonly shown: number;
  readonly offset: number;
  /** The whole range was read. */
  readonly isWhole: boolean;
}): string {
  const left = Math.max(0, total - offset - shown);
  const range = isWhole ? '' : '; the notes list what logtool could not read';
  if (total === 0) return `the cluster has no events of these sources in this range${range}`;
  const found = total === 1 ? '1 event' : `${total} events`;
  const older = left === 0 ? '' : `; offset=${offset + shown} continues with the ${left} before them`;
  if (shown === total) return `${found}, the oldest first${range}`;
  const newest =
    offset === 0 ? `the newest ${shown}` : `${shown} before the newest ${Math.min(offset, total)}`;
  return `${found}, of which ${newest}${older}${range}`;
}
