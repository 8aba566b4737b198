import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { type Coverage, readOfAll } from '../../../domain/coverage/coverage.ts';
import { type Intervals, NO_INTERVALS } from '../../../domain/coverage/interval.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { HeldSource } from '../store/source-table.ts';
import { eachCount } from './count-range.ts';
import type { RangeEnd } from './range-counts.ts';
import type { RangeScan } from './range-scan.ts';

/** A scan as a view shows it. */
export interface CountedView {
  readonly scan: RangeScan;
  /** Whether to leave out lines that do not match the search or fields. */
  readonly onlyMatches: boolean;
  /** Which source indexes and levels the facets accept; undefined: all. */
  readonly wanted: ((source: number, level: number) => boolean) | undefined;
  /** Whether the facets accept any records of a container (LogSource.id). */
  readonly isWanted: (id: string) => boolean;
  /** Whether arriving lines are added to the counts of the scan. */
  readonly isLive: boolean;
  /** Up to when arriving lines of a container (LogSource.id) were added: HeldLog.followedToMs. */
  readonly followedToMs: (id: string) => number;
}

/** The time range and the containers for which counts are exact. */
export interface CountedScope {
  /**
   * Lines before this time are counted: ms since the epoch, the start of a bucket. Infinity: to the end of the range.
   */
  readonly toMs: number;
  /** Whether a container (LogSource.id) is in the scope; a failed one is not. */
  readonly isCounted: (id: string) => boolean;
  /** False: the scan did not finish even the first bucket in every container, so the counts cover an arbitrary part. */
  readonly isExact: boolean;
  /** Whether the scan has not read a container as far as `toMs`, including containers that the facets may refuse. */
  readonly isPartial: (id: string) => boolean;
}

/** Returns of which times all lines were counted, by container. */
export function countedCoverage(view: CountedView): Coverage {
  const { counts, range } = view.scan;
  return counts.coverage(range.from, rangeEndOf(view));
}

/** The end of what was read without a gap: ms since the epoch, Infinity: without an end, -Infinity: nothing was. */
export function readToMs(read: Intervals): number {
  const last = read.at(-1);
  if (last === undefined) return Number.NEGATIVE_INFINITY;
  return last.to === undefined ? Number.POSITIVE_INFINITY : timestampToMs(last.to);
}

/** Returns where the range ends for its counts. */
function rangeEndOf({ scan, isLive, followedToMs }: CountedView): RangeEnd {
  const { to } = scan.range;
  if (to !== undefined) return { followedToMs: undefined, endMs: timestampToMs(to) };
  const toMs = (id: string) => {
    const followed = followedToMs(id);
    const isToNow = followed === Number.POSITIVE_INFINITY && isLive;
    // A scan that reads on has dropped the lines that arrived since.
    if (scan.state === 'reading') return isToNow ? followed : Number.NEGATIVE_INFINITY;
    return followed;
  };
  return { followedToMs: toMs, endMs: undefined };
}

/**
 * The scope that the scan has read in every container that the facets accept; excludes failed ones after the scan ends.
 */
export function scopeOf(view: CountedView): CountedScope {
  const { scan, isWanted } = view;
  const { counts, state, range } = scan;
  const incomplete = new Set(counts.incomplete);
  const isOver = state === 'done';
  const isCounted = (id: string) => !(isOver && incomplete.has(id));
  const coverage = countedCoverage(view);
  const endMs = readToMs(readOfAll(coverage, (id) => isWanted(id) && isCounted(id)));
  const widthMs = counts.bucketMs ?? 1;
  const isWhole = endMs === Number.POSITIVE_INFINITY;
  // Of a scan that knows no container, only its end shows that there is none.
  const isUnknown = counts.sources.size === 0 && !(isOver && counts.failedSources === 0);
  const bucketMs = isWhole ? endMs : Math.floor(endMs / widthMs) * widthMs;
  const toMs = isUnknown ? Number.NEGATIVE_INFINITY : bucketMs;
  const begin = range.from === undefined ? Number.NEGATIVE_INFINITY : timestampToMs(range.from);
  const isExact = isWhole ? counts.sources.size > 0 : toMs > begin;
  // Counts of an arbitrary part are those of a part of each container that was not read completely.
  const isShort = (id: string) =>
    isExact
      ? readToMs(coverage.containers.get(id)?.read ?? NO_INTERVALS) < toMs
      : counts.readOf(id)?.isWhole !== true;
  const isPartial = (id: string) => !isCounted(id) || isShort(id);
  return { toMs, isCounted, isExact, isPartial };
}

/**
 * Whether a scan has ended without reading any container completely, not even the beginning of the range in all of
 * them: its counts cover nothing that can be named.
 */
export function hasReadNothing(scan: RangeScan): boolean {
  const { counts, state } = scan;
  const known = counts.sources.size;
  if (state === 'done') return counts.incomplete.length === known && known + counts.failedSources > 0;
  const all = {
    scan,
    onlyMatches: false,
    wanted: undefined,
    isWanted: () => true,
    isLive: true,
    followedToMs: () => Number.POSITIVE_INFINITY,
  };
  return state === 'failed' && !scopeOf(all).isExact;
}

/** Whether the scope of the counts includes lines of a container at a time. */
export function isInScope({ toMs, isCounted, isExact }: CountedScope, id: string, atMs: number): boolean {
  return isCounted(id) && (!isExact || atMs < toMs);
}

/** Calls with the lines of the range that the view shows, loaded or not, by container, level and time in ms. */
export function eachWanted(
  log: HeldLog,
  { scan, onlyMatches, wanted }: CountedView,
  visit: (source: HeldSource, level: number, atMs: number, lines: number) => void,
): void {
  eachCount(log, scan, onlyMatches, (source, level, atMs, lines) => {
    if (wanted?.(source.index, level) !== false) visit(source, level, atMs, lines);
  });
}
