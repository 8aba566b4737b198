import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import type { EntryId, HitOrdinal, ScanStatus } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import { lacksContainers } from './searcher.ts';

/**
 * Returns the ordinal of a hit among all hits of the view: from the hits before it, if everything there is held, or from
 * a count of all hits and those after it. Undefined: neither is known. `counted`: the count of the hits beyond the held
 * lines; undefined: none.
 */
export function ordinalOfHit(
  log: HeldLog,
  counted: ScanStatus | undefined,
  entry: EntryId | undefined,
): HitOrdinal | undefined {
  const { view, store, edges } = log;
  if (entry === undefined || !store.isHeld(entry) || lacksContainers(log)) return undefined;
  view.refresh();
  const index = view.indexOf(entry);
  // Filters may hide the row, and it may be no hit of another search.
  if (view.at(index) !== entry || view.next('hits', index, 1) !== index) return undefined;
  const total = totalOf(log, counted);
  if (total === undefined) return undefined;
  const before = view.countBefore('hits', index);
  const gaps = [...store.missing.keys()].map((gap) => store.compare(gap, entry));
  if (edges.older === 'beginning' && gaps.every((order) => order > 0)) return { entry, value: before + 1 };
  const isAtEnd = edges.newer === 'now' && log.withheld.length === 0;
  if (!isAtEnd || gaps.some((order) => order > 0)) return undefined;
  return { entry, value: total - (view.count('hits') - before - 1) };
}

/** The number of all hits of the view; undefined: only a part was counted, or the count lacks lines that are held. */
function totalOf(log: HeldLog, counted: ScanStatus | undefined): number | undefined {
  if (counted?.hits === undefined) return log.isWhole ? log.view.count('hits') : undefined;
  const { state, incomplete, failedSources, readToMs, hits } = counted;
  const isWhole = state === 'done' && incomplete + failedSources === 0;
  return isWhole && readToMs === Number.POSITIVE_INFINITY && !lacksHeldLines(log, counted) ? hits : undefined;
}

/** Whether lines may be held that nobody could read any more when they were counted. */
function lacksHeldLines({ store }: HeldLog, { missing }: ScanStatus): boolean {
  if (missing === undefined) return false;
  const first = store.edgeLine('first');
  const isBefore = first !== undefined && timestampToMs(store.time(first)) < missing.lostToMs;
  return missing.gone + missing.gaps > 0 || isBefore;
}
