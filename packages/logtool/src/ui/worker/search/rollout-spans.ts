import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import type { Histogram, RolloutSpan } from '../protocol/protocol.ts';
import type { FactEntry } from '../store/line-store.ts';

/** Returns the rollouts among some facts that replaced pods by others, with their times. */
export function rolloutsOf(facts: readonly FactEntry[]): readonly RolloutSpan[] {
  return facts.flatMap(({ fact }) => {
    // A first revision replaces nothing; a fact with a bound does not give the time of a beginning.
    if (fact.kind !== 'rollout' || fact.data.revision <= 1 || fact.bound !== undefined) return [];
    const { revision, images, isOver, lastedMs } = fact.data;
    const { kind, namespace, name } = fact.subject;
    const fromMs = timestampToMs(fact.at);
    const toMs = lastedMs === undefined ? undefined : fromMs + lastedMs;
    const isGoingOn = isOver === false;
    return { workload: { kind, namespace, name }, revision, images, fromMs, toMs, isGoingOn };
  });
}

/** Adds a band for each rollout to the chart. If its end is unknown, the band covers only the bar of its beginning. */
export function withRollouts(histogram: Histogram, rollouts: readonly RolloutSpan[]): Histogram {
  const { fromSeconds, bucketSeconds, others } = histogram;
  const lastBucket = others.length - 1;
  const bucketOf = (ms: number) => Math.floor((ms / 1000 - fromSeconds) / bucketSeconds);
  const bands = rollouts.flatMap(({ fromMs, toMs, isGoingOn, images, revision }) => {
    const first = bucketOf(fromMs);
    const last = isGoingOn ? Math.max(first, lastBucket) : bucketOf(toMs ?? fromMs);
    if (last < 0 || first > lastBucket) return [];
    return { first: Math.max(0, first), last: Math.min(lastBucket, last), images, revision, isGoingOn };
  });
  return bands.length === 0 ? histogram : { ...histogram, rollouts: bands };
}
