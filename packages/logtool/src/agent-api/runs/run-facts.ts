/** A log file of a run, as an agent lists it. */
export interface FileFacts {
  readonly name: string;
  /** On the disk, so compressed ones count compressed. */
  readonly bytes: number;
  readonly compressed: boolean;
  /** The stamp of its first line; null: it has none yet, or cannot be read. */
  readonly firstTime: string | null;
}

/** What a node has of one run of a container. */
export interface RunFacts {
  readonly namespace: string;
  readonly pod: string;
  /** For a static pod, the hash of its definition. */
  readonly podUid: string;
  readonly container: string;
  /** The restart count of the container at that run. */
  readonly run: number;
  /** Oldest first. */
  readonly files: readonly FileFacts[];
  /** When the newest file was last written to, RFC 3339. */
  readonly lastTime: string;
  /** How many lines it had, by minutes; undefined: nothing is counted, or there is no line. */
  readonly activity?: Activity | undefined;
}

/** How many lines a run had, minute by minute. */
export interface Activity {
  /** The minute of the last elements: that of the newest line. RFC 3339. */
  readonly lastMinute: string;
  /** Lines of each of 30 minutes; null: not all of them were read. */
  readonly perMinute: readonly (number | null)[];
  /** How many of them are errors; undefined: levels are not counted. */
  readonly errorsPerMinute?: readonly (number | null)[] | undefined;
}

/**
 * A line of an agent's list: first all runs, then, at most once a second, those that have changed, and the keys of those
 * that are gone. JSON.
 */
export type RunsLine =
  | { readonly runs: readonly RunFacts[] }
  | { readonly changed: readonly RunFacts[]; readonly gone: readonly string[] };

/** Where an agent serves its list. */
export const RUNS_PATH = '/apis/logtool.dev/v1alpha1/runs';

/** What a run is known by on its node. No name has a slash in it. */
export function runKey({
  namespace,
  pod,
  podUid,
  container,
  run,
}: Pick<RunFacts, 'namespace' | 'pod' | 'podUid' | 'container' | 'run'>): string {
  return `${namespace}/${pod}/${podUid}/${container}/${run}`;
}
