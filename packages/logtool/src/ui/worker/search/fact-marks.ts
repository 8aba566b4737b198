import { isAtLeast, positionOf } from '../../../domain/facts/fact.ts';
import type { FactMark, Histogram } from '../protocol/protocol.ts';
import type { FactEntry } from '../store/line-store.ts';

/** Adds a mark to each bar of the chart whose time contains facts. */
export function withFacts(histogram: Histogram, facts: readonly FactEntry[]): Histogram {
  const marks = new Map<number, FactMark>();
  for (const { fact } of facts) {
    const bucket = bucketOf(histogram, positionOf(fact).seconds);
    if (bucket === undefined) continue;
    const { count, severity } = marks.get(bucket) ?? { count: 0, severity: fact.severity };
    const isGraver = isAtLeast(fact, severity);
    marks.set(bucket, { bucket, count: count + 1, severity: isGraver ? fact.severity : severity });
  }
  if (marks.size === 0) return histogram;
  return { ...histogram, facts: [...marks.values()].sort((a, b) => a.bucket - b.bucket) };
}

/** Undefined: the chart has no bar for that time. */
function bucketOf({ fromSeconds, bucketSeconds, others }: Histogram, seconds: number): number | undefined {
  const bucket = Math.floor((seconds - fromSeconds) / bucketSeconds);
  return bucket >= 0 && bucket < others.length ? bucket : undefined;
}
