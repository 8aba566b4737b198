import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import type { ScanStatus } from '../session/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import { eachCount } from './count-range.ts';
import type { CountedView } from './counted-view.ts';

/** The status of a scan as the page shows it: costly for a long log, so asked for now and then. */
export function scanStatusOf(
  log: HeldLog,
  { scan, onlyMatches, wanted, isWanted }: CountedView,
  errorsBegin: ScanStatus['errorsBegin'],
): ScanStatus {
  const { counts, range } = scan;
  const sum = (onlyMatches: boolean) => {
    let total = 0;
    eachCount(log, scan, onlyMatches, (source, level, _, lines) => {
      if (wanted?.(source.index, level) !== false) total += lines;
    });
    return total;
  };
  const readToMs = counts.readToMs(isWanted);
  return {
    state: scan.state,
    error: scan.error,
    lines: sum(onlyMatches),
    hits: scan.isSearching ? sum(true) : undefined,
    fromMs: range.from && timestampToMs(range.from),
    toMs: range.to && timestampToMs(range.to),
    readToMs: readToMs === Number.NEGATIVE_INFINITY || counts.sources.size === 0 ? undefined : readToMs,
    incomplete: counts.incomplete.filter(isWanted).length,
    errorsBegin,
  };
}
