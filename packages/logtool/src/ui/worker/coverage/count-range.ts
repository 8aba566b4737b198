import type { HeldLog } from '../store/held-log.ts';
import type { HeldSource } from '../store/source-table.ts';
import type { CountedBucket } from './range-counts.ts';
import type { RangeScan } from './range-scan.ts';

/** Receives records of one container, with level (index in COUNTED_LEVELS) and bucket time (ms since the epoch). */
type Visit = (source: HeldSource, level: number, atMs: number, lines: number) => void;

/**
 * Calls `visit` with the record counts of a range (line counts if grouping is off): the counts of a scan and, for a
 * range without an end, of the records that arrived since. A negative number takes back what was counted before a
 * further line of a record arrived. `onlyMatches`: counts only the records that match the search and fields.
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

/** One run of each container, by LogSource.id: filters decide the same for all runs of a container. */
function sourcesById({ store }: HeldLog): ReadonlyMap<string, HeldSource> {
  return new Map(store.sources.all.map((source) => [source.wire.id, source]));
}
