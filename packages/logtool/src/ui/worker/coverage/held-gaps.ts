import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { covers, difference, type Interval } from '../../../domain/coverage/interval.ts';
import type { EntryId } from '../protocol/protocol.ts';
import { KIND } from '../store/entry-table.ts';
import type { HeldLog } from '../store/held-log.ts';
import { heldCoverage } from './held-coverage.ts';
import type { ScannedGap } from './range-counts.ts';
import { rowGaps } from './row-gaps.ts';

/** Whether the held rows have every line of a gap: they were read before the node rotated the log. */
export function holdsGap(log: HeldLog, gap: ScannedGap, range: Interval): boolean {
  const { id, to } = gap;
  const own = heldCoverage(log).containers.get(id);
  if (gap.counted === undefined || to === undefined || own?.isUnreadable !== false) return false;
  const from = gap.from ?? range.from;
  if (!reachesOver(log, id, { from, to })) return false;
  const known = [...rowGaps(log.store), ...log.lost.values()].filter((one) => (one.id ?? id) === id);
  return covers(difference(own.read, known), { from, to });
}

/** The held lines of a container in a gap: those from its begin on and before its end. */
export function* linesOfGap(
  { store }: HeldLog,
  { id, to }: ScannedGap,
  from: Timestamp | undefined,
): Generator<EntryId> {
  const { table, sources } = store;
  const begin = from === undefined ? { chunk: 0, offset: 0 } : store.positionOf(from);
  for (const entry of store.order.from(begin)) {
    if (to !== undefined && compareTimestamps(store.time(entry), to) >= 0) return;
    if (table.kind(entry) === KIND.line && sources.get(table.source(entry)).wire.id === id) yield entry;
  }
}

/**
 * Whether lines of a container are held on both sides of an interval, so that what was held before it and what came
 * after it are one. Before the first line of a log there is none.
 */
function reachesOver({ store, edges }: HeldLog, id: string, { from, to }: Interval): boolean {
  const runs = store.sources.all.filter(({ wire }) => wire.id === id);
  const times = (edge: 'first' | 'last') =>
    runs.flatMap(({ index }) => {
      const entry = store.edgeOf(index, edge);
      return entry === undefined ? [] : [store.time(entry)];
    });
  const [firsts, lasts] = [times('first'), times('last')];
  const isBefore = (at: Timestamp) =>
    (edges.older === 'beginning' && to !== undefined && compareTimestamps(at, to) < 0) ||
    (from !== undefined && compareTimestamps(at, from) <= 0);
  const isAfter = (at: Timestamp) => to !== undefined && compareTimestamps(at, to) >= 0;
  return firsts.some(isBefore) && lasts.some(isAfter);
}
