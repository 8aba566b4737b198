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

const LOG_FILE = /^(0|[1-9]\d{0,9})\.log(?:\.(\d{8}-\d{6})(\.gz)?)?$/;

/**
 * Returns a run's files from the names in the container's folder. While the kubelet compresses a file, it is there
 * twice: plain, and for an instant as `.gz`, which stays. A `.tmp` is not complete, so it is left out.
 */
export function filesOfRun(names: readonly string[], run: number): RunFiles {
  const rotated = new Map<string, RotatedFile>();
  let hasNewest = false;
  for (const name of names) {
    const [, number, stamp, compressed] = LOG_FILE.exec(name) ?? [];
    if (number === undefined || Number(number) !== run) continue;
    if (stamp === undefined) hasNewest = true;
    else if (compressed !== undefined || !rotated.has(stamp))
      rotated.set(stamp, { stamp, isCompressed: compressed !== undefined });
  }
  const inOrder = [...rotated.values()].sort((a, b) => (a.stamp < b.stamp ? -1 : 1));
  return { run, rotated: inOrder, hasNewest };
}

/** Returns the numbers of the runs whose files are among the names in a container's folder, in order. */
export function runsIn(names: readonly string[]): readonly number[] {
  const runs = names.flatMap((name) => LOG_FILE.exec(name)?.[1] ?? []);
  return [...new Set(runs)].map(Number).sort((a, b) => a - b);
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
