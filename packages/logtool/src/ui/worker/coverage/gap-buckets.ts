import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import type { Histogram } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { CountedView } from './counted-view.ts';
import { uncountedGaps } from './known-gaps.ts';

/** Adds the known gaps to a histogram: those of held rows and those that a scan found. */
export function withGaps(log: HeldLog, counted: CountedView | undefined, histogram: Histogram): Histogram {
  const { fromSeconds, bucketSeconds, others } = histogram;
  const bucketOf = (time: Interval['from']) =>
    time === undefined ? undefined : Math.floor((timestampToMs(time) / 1000 - fromSeconds) / bucketSeconds);
  const gaps = uncountedGaps(log, counted).flatMap(({ from, to, isUnproven }) => {
    const first = bucketOf(from) ?? 0;
    const last = bucketOf(to) ?? others.length - 1;
    if (last < 0 || first >= others.length) return [];
    const stretch = { first: Math.max(0, first), last: Math.min(others.length - 1, Math.max(first, last)) };
    return [isUnproven ? { ...stretch, isUnproven } : stretch];
  });
  return gaps.length === 0 ? histogram : { ...histogram, gaps };
}
