import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ReadContext } from '../plan/read-context.ts';
import type { LogRequest, RunAddress } from './open-log.ts';
import { sinceAt, sinceOf } from './position.ts';
import { nearestTail, SMALL_LOG_BYTES, tailReaching } from './resume-query.ts';
import type { Walk } from './walk.ts';

/** The values in which reads to the current end of a log and follows differ. */
export interface ReadPolicy {
  /** The request while no line of the run is known. */
  readonly start: LogRequest;
  /**
   * When to ask the pod which run an answer belongs to, before its first line counts: never; while no line of the run is
   * known, because known lines show it by themselves; or for the first answer too if lines are known.
   */
  readonly confirms: 'never' | 'unknown' | 'first';
  /** Wait for the name of a run that the log API serves slightly before the pod's status names it. */
  readonly awaitsName: boolean;
  /** Numbers of lines from the end that may reach back to what is known: tried without searching for the number. */
  readonly tails: readonly number[];
  /** Search for the number of lines that reaches back, if the log is large. */
  readonly searchesTail: boolean;
  /** An answer that lasts this long, in ms, did not break before it reached new lines: the log is quiet. */
  readonly quietMs: number;
}

/** The position may be anywhere in the log, and each answer ends. */
export const READ_TO_END = {
  awaitsName: false,
  tails: [],
  searchesTail: true,
  quietMs: Number.POSITIVE_INFINITY,
} as const satisfies Partial<ReadPolicy>;

/**
 * The position is near the end: by time only, the node reads the whole file, 2 s for 1 GB
 * (test/recorded/pods-log/size-1GB-*.json), and a search takes several requests. Lines written before the connection
 * arrive within `quietMs`.
 */
export const FOLLOW = {
  confirms: 'unknown',
  awaitsName: true,
  tails: [1_000, 30_000],
  searchesTail: false,
  quietMs: 5_000,
} as const satisfies Partial<ReadPolicy>;

/** The request that brings everything not yet delivered. */
export interface RequestStart {
  readonly request: LogRequest;
  /** Numbers of lines from the end to add to it, tried in turn; after them the log is read by time only. */
  readonly tails: readonly number[];
}

/** What a reader knows of a log beyond its walk. */
interface LogFacts {
  /** The read began with the first line of the run. */
  readonly isFromStart: boolean;
  readonly bytesRead: number;
  /** Whether a search for the number of lines may succeed. */
  readonly isSearchable: boolean;
}

/** Returns where the next request starts. Throws only when the signal is aborted. */
export async function startOf(
  context: ReadContext,
  run: RunAddress,
  walk: Walk,
  policy: ReadPolicy,
  facts: LogFacts,
): Promise<RequestStart> {
  const { start } = policy;
  const { position } = walk;
  // Only what is written from now on could be withheld: a read to the current end needs exact times.
  const since = start.follow === true ? sinceAt(position, context.clock.now()) : sinceOf(position);
  if (since === undefined) return { request: start, tails: [] };
  const request = { ...(start.follow === true ? { follow: true } : {}), sinceTime: since };
  return { request, tails: await tailsFor(context, run, walk, policy, facts, since) };
}

async function tailsFor(
  context: ReadContext,
  run: RunAddress,
  walk: Walk,
  { tails, searchesTail }: ReadPolicy,
  { isFromStart, bytesRead, isSearchable }: LogFacts,
  since: Timestamp,
): Promise<readonly number[]> {
  if (walk.hasWithheld) return [];
  const likely = walk.hasLines ? tails : [];
  if (!isSearchable) return likely;
  const { isStuck, max } = walk;
  const isSmall = isFromStart && bytesRead < SMALL_LOG_BYTES;
  let found: number | undefined;
  if (isStuck && max !== undefined) found = await nearestTail(context, run, max);
  // Other backends find a time without reading everything before it.
  else if (searchesTail && !isSmall && context.backend === undefined)
    found = await tailReaching(context, run, since);
  return found === undefined ? likely : [found, ...likely];
}
