import { readOfAll } from '../../../domain/coverage/coverage.ts';
import { covers, type Interval } from '../../../domain/coverage/interval.ts';
import type { Histogram } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import { heldCoverage } from './held-coverage.ts';
import { makeHistogram } from './histogram.ts';

/**
 * Counts the loaded lines by time and level, and marks the buckets that may have more. `range`: one with both ends is
 * covered as a whole, so that what is not loaded does not look as if it were not part of it.
 */
export function loadedHistogram(log: HeldLog, range: Interval | undefined, wanted: number): Histogram {
  const { from, to } = range ?? {};
  const span = from && to && { from: from.seconds, to: to.nanos === 0 ? to.seconds - 1 : to.seconds };
  return withUnread(log, makeHistogram(log, wanted, span));
}

/** Marks the buckets of a loaded histogram that may have more lines. Containers that it leaves out are named instead. */
function withUnread(log: HeldLog, histogram: Histogram): Histogram {
  const held = readOfAll(heldCoverage(log), (id) => !log.hasFailed(id));
  const { fromSeconds, bucketSeconds, others } = histogram;
  const unread = others.map((_, bucket) => {
    const from = { seconds: fromSeconds + bucket * bucketSeconds, nanos: 0 };
    return !covers(held, { from, to: { seconds: from.seconds + bucketSeconds, nanos: 0 } });
  });
  return unread.includes(true) ? { ...histogram, unread } : histogram;
}
