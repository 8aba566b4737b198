import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import type { ScanStatus } from '../session/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import { type CountedView, eachWanted } from './counted-view.ts';

/** The status of a scan as the page shows it: costly for a long log, so asked for now and then. */
export function scanStatusOf(
  log: HeldLog,
  view: CountedView,
  errorsBegin: ScanStatus['errorsBegin'],
): ScanStatus {
  const { scan, onlyMatches, isWanted } = view;
  const { counts, range } = scan;
  const sum = (onlyHits: boolean) => {
    let total = 0;
    eachWanted(log, { ...view, onlyMatches: onlyHits }, (_, __, ___, lines) => {
      total += lines;
    });
    return total;
  };
  const shown = sum(onlyMatches);
  const readToMs = counts.readToMs(isWanted);
  return {
    state: scan.state,
    error: scan.error,
    lines: shown,
    hits: scan.isSearching ? (onlyMatches ? shown : sum(true)) : undefined,
    fromMs: range.from && timestampToMs(range.from),
    toMs: range.to && timestampToMs(range.to),
    readToMs: readToMs === Number.NEGATIVE_INFINITY || counts.sources.size === 0 ? undefined : readToMs,
    incomplete: counts.incomplete.filter(isWanted).length,
    errorsBegin,
  };
}
