import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { HeldSource } from '../store/source-table.ts';
import { eachCount } from './count-range.ts';
import type { RangeScan } from './range-scan.ts';

/** A scan as a view shows it. */
export interface CountedView {
  readonly scan: RangeScan;
  /** Lines that search or fields do not find are left out. */
  readonly onlyMatches: boolean;
  /** What facets let through, by source index and level; undefined: all. */
  readonly wanted: ((source: number, level: number) => boolean) | undefined;
  /** Whether facets let a container (LogSource.id) through at all. */
  readonly isWanted: (id: string) => boolean;
  /** Lines that come are counted with those of the scan. */
  readonly isLive: boolean;
}

/** The time and the containers that counts are exact for. */
export interface CountedScope {
  /** Lines before it are counted, ms since the epoch, the beginning of a bucket. Infinity: to the end of the range. */
  readonly toMs: number;
  /** Whether a container (LogSource.id) is in it: one that failed is not. */
  readonly isCounted: (id: string) => boolean;
  /** False: not even the first bucket was read in every container, so the counts are of what was read by chance. */
  readonly isExact: boolean;
  /** Whether a container, which facets may refuse, was not read as far. */
  readonly isPartial: (id: string) => boolean;
}

/** Whether later lines than those of the scan belong to the range and are not counted. */
export function isOpenEnded({ scan, isLive }: CountedView): boolean {
  return scan.range.to === undefined && !isLive;
}

/** Up to where every container that facets let through was read; without those that failed, if the scan is over. */
export function scopeOf(view: CountedView): CountedScope {
  const { scan, isWanted } = view;
  const { counts, state, range } = scan;
  const incomplete = new Set(counts.incomplete);
  const isOver = state === 'done';
  const isOpen = isOpenEnded(view);
  const isCounted = (id: string) => !(isOver && incomplete.has(id));
  const readToMs = counts.readToMs((id) => isWanted(id) && isCounted(id), isOpen);
  const widthMs = counts.bucketMs ?? 1;
  const isWhole = readToMs === Number.POSITIVE_INFINITY;
  const toMs = isWhole ? readToMs : Math.floor(readToMs / widthMs) * widthMs;
  const begin = range.from === undefined ? Number.NEGATIVE_INFINITY : timestampToMs(range.from);
  const isExact = isWhole ? counts.sources.size > 0 : toMs > begin;
  const isPartial = (id: string) => !isCounted(id) || (isExact && counts.readToMsOf(id, isOpen) < toMs);
  return { toMs, isCounted, isExact, isPartial };
}

/** Whether lines of a container and time are in what the counts speak of. */
export function isInScope({ toMs, isCounted, isExact }: CountedScope, id: string, atMs: number): boolean {
  return isCounted(id) && (!isExact || atMs < toMs);
}

/** Calls with the lines of the range that the view shows, loaded or not: by container, level and time in ms. */
export function eachWanted(
  log: HeldLog,
  { scan, onlyMatches, wanted }: CountedView,
  visit: (source: HeldSource, level: number, atMs: number, lines: number) => void,
): void {
  eachCount(log, scan, onlyMatches, (source, level, atMs, lines) => {
    if (wanted?.(source.index, level) !== false) visit(source, level, atMs, lines);
  });
}
