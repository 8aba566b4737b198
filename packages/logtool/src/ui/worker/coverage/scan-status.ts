import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import type { ScanStatus } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import { type CountedView, eachWanted, isInScope, scopeOf } from './counted-view.ts';
import { missingRecords } from './known-gaps.ts';
import type { RangeScan } from './range-scan.ts';

/** Returns the status of a scan for the page. It is costly for a long log, so callers ask only now and then. */
export function scanStatusOf(
  log: HeldLog,
  view: CountedView,
  errorsBegin: ScanStatus['errorsBegin'],
): ScanStatus {
  const { scan, onlyMatches, isWanted } = view;
  const { counts, range } = scan;
  const scope = scopeOf(view);
  const sum = (onlyHits: boolean) => {
    let total = 0;
    eachWanted(log, { ...view, onlyMatches: onlyHits }, ({ wire }, _, atMs, lines) => {
      if (isInScope(scope, wire.id, atMs)) total += lines;
    });
    return total;
  };
  const shown = sum(onlyMatches);
  const incomplete = counts.incomplete.filter(isWanted).length;
  // The scan may have stopped in containers that the facets refuse.
  const isOver = scan.state === 'stopped' && incomplete === 0 && scope.toMs === Number.POSITIVE_INFINITY;
  return {
    state: isOver ? 'done' : scan.state,
    error: scan.error,
    away: scan.away,
    progress: scan.state === 'reading' ? scan.progress : undefined,
    lines: shown,
    hits: scan.isSearching ? (onlyMatches ? shown : sum(true)) : undefined,
    fromMs: range.from && timestampToMs(range.from),
    toMs: range.to && timestampToMs(range.to),
    readToMs: scope.isExact ? scope.toMs : undefined,
    incomplete,
    missing: missingRecords(log, view, scope.toMs),
    failedSources: counts.failedSources,
    isRefused: isRefused(log, view),
    loadedLines: undefined,
    bucketMs: counts.bucketMs,
    errorsBegin,
  };
}

/** Whether permission is missing for all that a scan could not read. */
function isRefused(log: HeldLog, { scan: { counts }, isWanted }: CountedView): boolean {
  const incomplete = counts.incomplete.filter(isWanted).map((id) => log.problemOf(id)?.error);
  const errors = [...incomplete, ...counts.sourceErrors];
  return (
    errors.length > 0 && errors.every((error) => error?.denied !== undefined || error?.code === 'forbidden')
  );
}

/** Returns the status of a scan that has read nothing: the counts are those of the loaded lines. */
export function loadedStatusOf({ store, view }: HeldLog, scan: RangeScan): ScanStatus {
  const { state, error, away, range, counts } = scan;
  view.refresh();
  return {
    state,
    error,
    away,
    progress: undefined,
    lines: store.order.chunks.reduce((sum, _, at) => sum + view.chunk(at).lines, 0),
    // The search knows how many of the loaded lines it has searched.
    hits: undefined,
    fromMs: range.from && timestampToMs(range.from),
    toMs: range.to && timestampToMs(range.to),
    readToMs: undefined,
    incomplete: counts.incomplete.length,
    missing: undefined,
    failedSources: counts.failedSources,
    loadedLines: store.lines,
    bucketMs: undefined,
    errorsBegin: undefined,
  };
}
