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
