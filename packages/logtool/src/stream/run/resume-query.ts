import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { firstTime } from './first-record.ts';
import type { RunAddress } from './open-log.ts';

/** A smaller log is read from its start as fast as from its end. */
export const SMALL_LOG_BYTES = 4 * 1024 * 1024;
const FIRST_GUESS_LINES = 1024;
/** Beyond this, reading by time costs less than searching for the position. */
const MAX_GUESS_LINES = 128 * 1024;
/** The log may grow between the search and the read. */
const SLACK = 4;
const GROWTH = 8;
/** Additional lines before the last known one: lines may be slightly out of order. */
const NEAREST_SLACK_LINES = 8;
const MAX_NEAREST_LINES = 2 ** 20;

interface LinesBack {
  readonly first: number;
  /** This many are known not to suffice. */
  readonly above?: number;
  /** How many lines too many are acceptable. */
  readonly near: number;
  readonly max: number;
}

/**
 * Estimates how many lines from its end a log request needs, so that they reach back far enough; undefined if `max` do
 * not. Reading by time makes the node read the whole file, reading by count does not
 * (test/recorded/pods-log/size-1GB-*.json); so this searches for the count, reading first lines only.
 */
export async function linesBack(
  reachesBack: (lines: number) => Promise<boolean>,
  { first, above = 0, near, max }: LinesBack,
): Promise<number | undefined> {
  let low = above;
  let high = first;
  while (!(await reachesBack(high))) {
    low = high;
    high *= GROWTH;
    if (high > max) return undefined;
  }
  while (high - low > near) {
    const middle = Math.floor((low + high) / 2);
    if (await reachesBack(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * Returns a number of lines that certainly reaches back to before a point; undefined if the log has no more lines than
 * that, or too many: then only the time applies. Throws only when the signal is aborted.
 */
export async function tailReaching(
  context: ReadContext,
  run: RunAddress,
  sinceTime: Timestamp,
): Promise<number | undefined> {
  let before: Timestamp | undefined;
  let isWhole = false;
  const reachesBack = async (lines: number) => {
    const first = await firstTime(context, run, lines);
    // The log has no more lines than that.
    isWhole = first === undefined || (before !== undefined && compareTimestamps(before, first) === 0);
    before = first;
    return first === undefined || isWhole || first.seconds < sinceTime.seconds;
  };
  const range = { first: FIRST_GUESS_LINES, near: MAX_GUESS_LINES, max: MAX_GUESS_LINES };
  const lines = await linesBack(reachesBack, range);
  return lines === undefined || isWhole ? undefined : lines * SLACK;
}

/**
 * Returns the number of lines that just reaches back to the last known one, for a walk that is stuck. Undefined if it
 * cannot be found. Throws only when the signal is aborted.
 */
export async function nearestTail(
  context: ReadContext,
  run: RunAddress,
  last: Timestamp,
): Promise<number | undefined> {
  let isUnknown = false;
  const reachesBack = async (lines: number) => {
    const first = isUnknown ? undefined : await firstTime(context, run, lines);
    isUnknown = first === undefined;
    return first === undefined || compareTimestamps(first, last) <= 0;
  };
  const lines = await linesBack(reachesBack, { first: 1, near: 1, max: MAX_NEAREST_LINES });
  // The log has grown meanwhile.
  const rest = { first: NEAREST_SLACK_LINES, near: MAX_NEAREST_LINES, max: MAX_NEAREST_LINES };
  const slack = lines && (await linesBack((more) => reachesBack(lines + more), rest));
  return isUnknown ? undefined : lines && slack && lines + slack;
}
