import type { HeldLog } from '../store/held-log.ts';
import type { HeldSource } from '../store/source-table.ts';
import type { CountedBucket } from './range-counts.ts';
import type { RangeScan } from './range-scan.ts';

/** Records of one container, level (index in COUNTED_LEVELS) and bucket of time (ms since the epoch). */
type Visit = (source: HeldSource, level: number, atMs: number, lines: number) => void;

/**
 * Calls with the records of a range (lines, where these are not grouped): what a scan has counted, and, where the range has
 * no end, those that came since. A number below 0 takes back what was counted before a further line of a record came.
 * `onlyMatches`: those that search and fields find.
 */
export function eachCount(log: HeldLog, scan: RangeScan, onlyMatches: boolean, visit: Visit): void {
  const sources = sourcesById(log);
  const visitBucket = (id: string, bucket: Pick<CountedBucket, 'fromMs'> & Counts) => {
    const source = sources.get(id);
    if (source === undefined) return;
    const counts = onlyMatches ? bucket.matches : bucket.lines;
    for (let level = 0; level < counts.length; level++) {
      const lines = counts[level] ?? 0;
      if (lines !== 0) visit(source, level, bucket.fromMs, lines);
    }
  };
  scan.counts.each(visitBucket);
  scan.updateLater(log);
  scan.later.each(visitBucket);
}

interface Counts {
  readonly lines: ArrayLike<number>;
  readonly matches: ArrayLike<number>;
}

/** One run of each container, by LogSource.id: what filters decide is the same for all of them. */
function sourcesById({ store }: HeldLog): ReadonlyMap<string, HeldSource> {
  return new Map(store.sources.all.map((source) => [source.wire.id, source]));
}
