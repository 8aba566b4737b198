/**
 * A file that the kubelet rotated away, of one run of a container. Its name is the run's file, the node's local time at
 * the rotation, and `.gz` once it is compressed (test/recorded/nodes/list-rotated.json).
 */
export interface RotatedFile {
  /** `20261122-132733`; the order of these texts is the order of the files. */
  readonly stamp: string;
  readonly isCompressed: boolean;
}

/** The files of one run that a container's folder lists. */
export interface RunFiles {
  /** Number of the run: the container's restart count at that run. */
  readonly run: number;
  /** Oldest first. */
  readonly rotated: readonly RotatedFile[];
  /** Whether the newest file exists; during a rotation it is missing for about a millisecond. */
  readonly hasNewest: boolean;
}

/** A line of a listing; names of log files have no characters that HTML or a URL escapes. */
const LINK = /<a href="(\d{1,10})\.log(?:\.(\d{8}-\d{6})(\.gz)?)?">/g;

/**
 * Returns a run's files from the kubelet's listing of the container's folder. While the kubelet compresses a file, it
 * is there twice: plain, and for an instant as `.gz`, which stays. A `.tmp` is not complete, so it is left out.
 */
export function filesOfRun(listing: string, run: number): RunFiles {
  const rotated = new Map<string, RotatedFile>();
  let hasNewest = false;
  for (const [, number, stamp, compressed] of listing.matchAll(LINK)) {
    if (Number(number) !== run) continue;
    if (stamp === undefined) hasNewest = true;
    else if (compressed !== undefined || !rotated.has(stamp))
      rotated.set(stamp, { stamp, isCompressed: compressed !== undefined });
  }
  const inOrder = [...rotated.values()].sort((a, b) => (a.stamp < b.stamp ? -1 : 1));
  return { run, rotated: inOrder, hasNewest };
}

/** Returns the name of the newest file of a run. */
export function newestName(run: number): string {
  return `${run}.log`;
}

/** Returns the name of a rotated file. */
export function rotatedName(run: number, { stamp, isCompressed }: RotatedFile): string {
  return `${run}.log.${stamp}${isCompressed ? '.gz' : ''}`;
}

/** Whether two listings of a run name the same rotated files, whether compressed or not. */
export function isSameRotation(a: RunFiles, b: RunFiles): boolean {
  return a.rotated.at(-1)?.stamp === b.rotated.at(-1)?.stamp;
}
