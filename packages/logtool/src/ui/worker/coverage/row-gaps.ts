import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { KnownGap } from '../../../domain/coverage/coverage.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import type { EntryId } from '../protocol/protocol.ts';
import { KIND } from '../store/entry-table.ts';
import type { LineStore } from '../store/line-store.ts';
import type { OrderPosition } from '../store/order.ts';

/** The gaps that have rows among the held lines. */
export function rowGaps(store: LineStore): readonly KnownGap[] {
  const gaps: KnownGap[] = [];
  for (const [entry, { span, source }] of store.markers) {
    if (span === undefined) continue;
    const kind = { isLost: false, isUnproven: false };
    if (source === undefined) gaps.push({ id: undefined, ...kind, ...datedAt(store.time(entry), span) });
    else {
      const { id } = store.sources.get(source).wire;
      gaps.push({ id, ...kind, ...between(store, entry, id, span) });
    }
  }
  return gaps;
}

/** A gap in several containers whose times are not known is at its row. */
function datedAt(at: Timestamp, { from, to }: Interval): Interval {
  return from === undefined && to === undefined ? { from: at, to: at } : { from, to };
}

/** Lines to look through for the one beside a gap. */
const MAX_BESIDE = 20_000;

/**
 * A gap with an end that is not known reaches to the line of its container beside it; undefined: there is none. A gap
 * without a begin is of runs before the one that follows it: lines of that run may precede its end, which is known to
 * the second. A gap begins after the last line that was read: one at that time does not end it.
 */
function between(store: LineStore, entry: EntryId, id: string, { from, to }: Interval): Interval {
  const { order, table, sources } = store;
  const isOwn = (each: EntryId) =>
    table.kind(each) === KIND.line && sources.get(table.source(each)).wire.id === id;
  const first = (entries: Iterable<EntryId>, isWanted: (each: EntryId) => boolean = () => true) => {
    let left = MAX_BESIDE;
    for (const each of entries) {
      if (isOwn(each) && isWanted(each)) return each;
      if (left-- === 0) break;
    }
    return undefined;
  };
  const timeOf = (each: EntryId | undefined) => (each === undefined ? undefined : store.time(each));
  const [begin, end] = [from ?? to, to ?? from].map((at) =>
    at === undefined ? store.locate(entry) : store.positionOf(at),
  ) as [OrderPosition, OrderPosition];
  const next = first(
    order.from(end),
    (each) => from === undefined || compareTimestamps(store.time(each), from) > 0,
  );
  const isOfRunBefore = (each: EntryId) => next === undefined || table.source(each) !== table.source(next);
  return { from: from ?? timeOf(first(order.back(begin), isOfRunBefore)), to: to ?? timeOf(next) };
}
