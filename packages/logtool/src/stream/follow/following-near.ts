import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { RecordMatcher } from '../../domain/filter.ts';
import type { Bound } from '../../domain/window.ts';
import type { ReadContext } from '../read-context.ts';
import { boundTime } from '../window/bounds.ts';
import { ContainerLane } from '../window/container-lane.ts';

/** How far in front of a time is looked, one after the other, in seconds. */
const REACHES = [60, 3600] as const;
/** Beside these, to go back by count costs less than to read on by time. */
const MOST_RECORDS = 4096;

export interface FollowingNear {
  readonly matches: RecordMatcher;
  /** Lines that follow a match, at most. */
  readonly after: number;
  /** In front of this time. */
  readonly at: Timestamp;
  /** Nothing in front of this counts. */
  readonly from: Bound | undefined;
  readonly previous: 'auto' | 'no' | 'only';
}

/**
 * How many lines of a container, from a time on, still follow a match in front of it. Reads the little that was written
 * shortly before: one request, where to find a time by counting lines takes some ten. Undefined: that did not tell.
 */
export async function followingNear(
  context: ReadContext,
  target: ContainerTarget,
  { matches, after, at, from, previous }: FollowingNear,
): Promise<number | undefined> {
  for (const reach of REACHES) {
    const begin: Bound = { kind: 'inclusive', at: { seconds: at.seconds - reach, nanos: 0 } };
    const isWhole = from !== undefined && compareTimestamps(boundTime(from), begin.at) >= 0;
    const to: Bound = { kind: 'strict', at };
    const options = { from: isWhole ? from : begin, to, previous, thenFollow: false };
    const abort = new AbortController();
    const signal = AbortSignal.any([context.signal, abort.signal]);
    const lane = new ContainerLane({ ...context, signal }, target, options);
    let records = 0;
    let sinceMatch: number | undefined;
    try {
      for await (const batch of lane.batches()) {
        await matches.prepare?.(batch);
        for (const record of batch) {
          // The first record behind the window ends it.
          if (compareTimestamps(record.at, at) >= 0) break;
          if (++records > MOST_RECORDS) return undefined;
          if (matches(record)) sinceMatch = 0;
          else if (sinceMatch !== undefined) sinceMatch++;
        }
      }
    } finally {
      abort.abort(new Error('enough was read'));
    }
    if (lane.end.outcome?.kind === 'failed') return undefined;
    if (sinceMatch !== undefined) return Math.max(0, after - sinceMatch);
    if (records >= after || isWhole) return 0;
  }
  return undefined;
}
