import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { type Interval, intersection, intervals, nextTime } from '../../../domain/coverage/interval.ts';
import { heldFrom, intervalOf, timeOfBound } from '../known/missing.ts';
import type { Histogram } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import { makeHistogram } from './histogram.ts';

const ALL_TIME: Interval = { from: undefined, to: undefined };

/** Times at which lines may exist that are not loaded: before, after and between the held parts. */
export function unheldIntervals(log: HeldLog): readonly Interval[] {
  const { store, edges, late } = log;
  const { older, newer } = edges;
  const { first } = store.order;
  const unheld: Interval[] = [...[...store.missing.values()].map(intervalOf), ...late.intervals];
  if (older === 'unknown' && first !== undefined)
    unheld.push({ from: undefined, to: nextTime(store.time(first)) });
  // Some lines at a cursor's time may not be held.
  if (typeof older !== 'string') unheld.push({ from: undefined, to: heldFrom(older) });
  if (typeof newer !== 'string') unheld.push({ from: timeOfBound(newer), to: undefined });
  return [...unheld, ...unfollowedIntervals(log)];
}

/** The time since the follow lost a container, if it has not caught up yet. */
function unfollowedIntervals({ store, reach, followedToMs }: HeldLog): readonly Interval[] {
  if (!reach.isShort) return [];
  const present = store.sources.all.filter(({ isLeftOut, owner }) => !isLeftOut && !owner.isGone);
  const fromMs = Math.min(...present.map(({ wire }) => followedToMs(wire.id)));
  return Number.isFinite(fromMs) ? [{ from: timestampFromMs(fromMs), to: undefined }] : [];
}

/**
 * Counts the loaded lines by time and level, and marks the buckets that may have more. `range`: one with both ends is
 * covered as a whole, so that what is not loaded does not look as if it were not part of it.
 */
export function loadedHistogram(log: HeldLog, range: Interval | undefined, wanted: number): Histogram {
  const { from, to } = range ?? {};
  const span = from && to && { from: from.seconds, to: to.nanos === 0 ? to.seconds - 1 : to.seconds };
  return withUnread(log, makeHistogram(log, wanted, span));
}

/** Marks the buckets of a loaded histogram that may have more lines. */
function withUnread(log: HeldLog, histogram: Histogram): Histogram {
  // A container that has not answered may have lines at any time.
  const unheld = log.unanswered.size > 0 ? [ALL_TIME] : unheldIntervals(log);
  if (unheld.length === 0) return histogram;
  const { fromSeconds, bucketSeconds, others } = histogram;
  const unread = others.map((_, bucket) => {
    const from = { seconds: fromSeconds + bucket * bucketSeconds, nanos: 0 };
    const to = { seconds: from.seconds + bucketSeconds, nanos: 0 };
    return intersection(intervals({ from, to }), unheld).length > 0;
  });
  return unread.includes(true) ? { ...histogram, unread } : histogram;
}
