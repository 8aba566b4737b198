import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import type { Histogram } from '../session/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { CountedView } from './counted-view.ts';

/** A range in the log of one container (LogSource.id) where lines may be missing; undefined: of several containers. */
interface KnownGap extends Interval {
  readonly id: string | undefined;
}

/** Adds the known gaps to a histogram: those of held rows and those that a scan found. */
export function withGaps(log: HeldLog, counted: CountedView | undefined, histogram: Histogram): Histogram {
  const { fromSeconds, bucketSeconds, others } = histogram;
  const bucketOf = (time: Interval['from']) =>
    time === undefined ? undefined : Math.floor((timestampToMs(time) / 1000 - fromSeconds) / bucketSeconds);
  const gaps = knownGaps(log, counted).flatMap(({ from, to }) => {
    // A gap with only one known end is drawn at that end.
    const first = bucketOf(from) ?? bucketOf(to);
    const last = bucketOf(to) ?? first;
    if (first === undefined || last === undefined || last < 0 || first >= others.length) return [];
    return [{ first: Math.max(0, first), last: Math.min(others.length - 1, Math.max(first, last)) }];
  });
  return gaps.length === 0 ? histogram : { ...histogram, gaps };
}

/** The known gaps, each once, of the containers that the facets accept. */
function knownGaps({ store }: HeldLog, counted: CountedView | undefined): readonly KnownGap[] {
  const gaps: KnownGap[] = [];
  for (const [entry, { span, source }] of store.markers) {
    if (span === undefined) continue;
    const isUndated = span.from === undefined && span.to === undefined;
    const id = source === undefined ? undefined : store.sources.get(source).wire.id;
    gaps.push({ id, ...(isUndated ? { from: store.time(entry), to: undefined } : span) });
  }
  gaps.push(...(counted?.scan.counts.gaps ?? []));
  const byText = new Map(gaps.map((gap) => [JSON.stringify([gap.id, gap.from, gap.to]), gap]));
  return [...byText.values()].filter(
    ({ id }) => id === undefined || counted === undefined || counted.isWanted(id),
  );
}
