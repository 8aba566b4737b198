import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import {
  compareStarts,
  covers,
  difference,
  type Interval,
  intervals,
  NO_INTERVALS,
  nextTime,
  union,
} from '../../../domain/coverage/interval.ts';
import type { EntryId } from '../protocol/protocol.ts';
import { KIND } from '../store/entry-table.ts';
import type { HeldLog } from '../store/held-log.ts';
import { heldCoverage } from './held-coverage.ts';
import type { ScannedGap } from './range-counts.ts';
import { rowGaps } from './row-gaps.ts';

/** The part of a gap, up to its end, of which the held rows have every line. */
export interface HeldRange {
  /** Undefined: the part is the whole gap, which has no beginning. */
  readonly from: Timestamp | undefined;
  readonly isWhole: boolean;
}

/**
 * Returns the part of a gap of which the held rows have every line, because they were read before the node rotated the
 * log. Undefined: there is none.
 */
export function heldRangeOf(log: HeldLog, gap: ScannedGap, range: Interval): HeldRange | undefined {
  const { id, to } = gap;
  const own = heldCoverage(log).containers.get(id);
  if (gap.counted === undefined || to === undefined || own?.isUnreadable !== false) return undefined;
  const from = gap.from ?? range.from;
  const runs = log.store.sources.all.filter(({ wire }) => wire.id === id);
  const lasts = runs.flatMap(({ index }) => timeOf(log, log.store.edgeOf(index, 'last')));
  if (!lasts.some((at) => compareTimestamps(at, to) >= 0)) return undefined;
  const losses = [...log.lossReports.values()]
    .flat()
    .filter((loss) => loss.id === id && firstInside(log, id, loss) === undefined);
  const rows = rowGaps(log.store).filter((one) => (one.id ?? id) === id);
  const read = difference(own.read, [...rows, ...losses].map(intervals).reduce(union, NO_INTERVALS));
  if (reachesTo(log, id, { from, to }) && covers(read, { from, to })) return { from, isWhole: true };
  const begin = read.find((each) => covers([each], { from: to, to: nextTime(to) }));
  if (begin === undefined) return undefined;
  const isLater = compareStarts(begin.from, from) > 0;
  // Only a line tells since when the container was read: others may have been read alone.
  const first = firstInside(log, id, { from: isLater ? begin.from : from, to }, isLater);
  return first && { from: first, isWhole: false };
}

/**
 * The time of the first held line of a container after the begin of an interval, or at it if that is included, and before
 * its end.
 */
function firstInside(
  log: HeldLog,
  id: string,
  { from, to }: Interval,
  isIncluded = false,
): Timestamp | undefined {
  for (const entry of linesOfGap(log, { id, to }, from)) {
    const at = log.store.time(entry);
    if (from === undefined || isIncluded || compareTimestamps(at, from) > 0) return at;
  }
  return undefined;
}

function timeOf({ store }: HeldLog, entry: EntryId | undefined): readonly Timestamp[] {
  return entry === undefined ? [] : [store.time(entry)];
}

/** The held lines of a container in a gap: those from its begin on and before its end. */
export function* linesOfGap(
  { store }: HeldLog,
  { id, to }: Pick<ScannedGap, 'id' | 'to'>,
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
 * Whether a line of a container is held before an interval, so that what was read there and the interval are one. Before
 * the first line of a log there is none.
 */
function reachesTo(log: HeldLog, id: string, { from, to }: Interval): boolean {
  const { store, edges } = log;
  const runs = store.sources.all.filter(({ wire }) => wire.id === id);
  const firsts = runs.flatMap(({ index }) => timeOf(log, store.edgeOf(index, 'first')));
  return firsts.some(
    (at) =>
      (edges.older === 'beginning' && to !== undefined && compareTimestamps(at, to) < 0) ||
      (from !== undefined && compareTimestamps(at, from) <= 0),
  );
}
