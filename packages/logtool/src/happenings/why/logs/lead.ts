import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { LogDigest } from './log-digest.ts';
import { gapBefore, holesOf } from './log-gaps.ts';

/** Omits what was new longer before an error. */
export const LEAD_SECONDS = 1_800;

/** The time before an error in which a new line would have been found. */
export interface Lead {
  /** Whole seconds before the error; undefined if too little was read of every container. */
  readonly seconds: number | undefined;
  /** Containers of which less is known. */
  readonly without: readonly ContainerTarget[];
}

/** `baselines`: when something can be new in each log, in seconds. Never counts what was not read. */
export function leadBefore(baselines: ReadonlyMap<LogDigest, number>, error: Timestamp): Lead {
  const begins = [...baselines].map(([digest, baseline]) => ({
    digest,
    begin: Math.max(baseline, knownSince(digest, error)),
  }));
  const known = begins.filter(({ begin }) => begin < error.seconds);
  const last = Math.max(...known.map(({ begin }) => Math.ceil(begin)));
  return {
    seconds: known.length === 0 ? undefined : Math.min(LEAD_SECONDS, error.seconds - last),
    without: begins.flatMap(({ digest, begin }) => (begin < error.seconds ? [] : digest.target)),
  };
}

/** Returns since when a log is known without a hole up to a time, in seconds; infinity if it is not. */
function knownSince(digest: LogDigest, until: Timestamp): number {
  const { isComplete, last } = digest;
  const isReadUntil = isComplete || (last !== undefined && compareTimestamps(last, until) >= 0);
  if (!isReadUntil) return Number.POSITIVE_INFINITY;
  const ends = holesOf(digest)
    .filter(({ from }) => from === undefined || compareTimestamps(from, until) < 0)
    .map(({ to }) => (to === undefined ? Number.POSITIVE_INFINITY : to.seconds + 1));
  return Math.max(firstKnown(digest) ?? Number.NEGATIVE_INFINITY, ...ends);
}

/** Returns the second of the first line if what precedes it is unknown. */
export function firstKnown(digest: LogDigest): number | undefined {
  if (gapBefore(digest) === undefined) return undefined;
  return digest.beginning[0]?.seconds ?? Number.POSITIVE_INFINITY;
}
