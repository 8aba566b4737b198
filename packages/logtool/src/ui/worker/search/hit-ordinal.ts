import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import { isReadable, type KnownGap, readOfAll } from '../../../domain/coverage/coverage.ts';
import { covers, nextTime } from '../../../domain/coverage/interval.ts';
import { isExact } from '../../messages/coverage.ts';
import { heldCoverage } from '../coverage/held-coverage.ts';
import type { EntryId, HitOrdinal, ScanStatus } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';

/**
 * Returns the ordinal of a hit among all hits that were counted: from the hits before it, if everything there is held, or
 * from the count and the hits after it. Undefined: neither is known. `gaps`: what the count lacks.
 */
export function ordinalOfHit(
  log: HeldLog,
  counted: ScanStatus,
  gaps: readonly KnownGap[],
  entry: EntryId,
): HitOrdinal | undefined {
  const { store, view } = log;
  const before = hitsBeforeHit(log, entry);
  const total = totalOf(log, counted, gaps);
  if (before === undefined || total === undefined) return undefined;
  const coverage = heldCoverage(log);
  if (!isReadable(coverage)) return undefined;
  const [held, at] = [readOfAll(coverage), store.time(entry)];
  if (covers(held, { from: undefined, to: nextTime(at) })) return { entry, value: before + 1 };
  if (log.withheld.length > 0 || !covers(held, { from: at, to: undefined })) return undefined;
  return { entry, value: total - (view.count('hits') - before - 1) };
}

/** Number of held hits before a hit; undefined: it is no hit that the view shows. */
export function hitsBeforeHit({ view, store }: HeldLog, entry: EntryId): number | undefined {
  if (!store.isHeld(entry)) return undefined;
  view.refresh();
  const index = view.indexOf(entry);
  // Filters may hide the row, and it may be no hit of another search.
  if (view.at(index) !== entry || view.next('hits', index, 1) !== index) return undefined;
  return view.countBefore('hits', index);
}

/** The number of all hits of the view; undefined: only a part was counted, or the count lacks lines that are held. */
function totalOf(log: HeldLog, counted: ScanStatus, gaps: readonly KnownGap[]): number | undefined {
  return isExact(counted) && !lacksHeldLines(log, counted, gaps) ? counted.hits : undefined;
}

/** Whether lines may be held that nobody could read any more when they were counted. */
function lacksHeldLines({ store }: HeldLog, { missing }: ScanStatus, gaps: readonly KnownGap[]): boolean {
  if (missing === undefined) return false;
  if (missing.gone + missing.gaps > 0) return true;
  return gaps.some(({ id, to }) =>
    store.sources.all.some(({ index, wire }) => {
      const first = wire.id === id ? store.edgeOf(index, 'first') : undefined;
      return first !== undefined && (to === undefined || compareTimestamps(store.time(first), to) < 0);
    }),
  );
}
