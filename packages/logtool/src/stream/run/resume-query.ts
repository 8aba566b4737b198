import type { LogQuery } from '@logtool/kube/src/client.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ReadContext } from '../read-context.ts';
import { firstTime } from './first-record.ts';
import type { RunAddress } from './run-address.ts';

/** A log of fewer bytes is read from its start as fast as from its end. */
export const SMALL_LOG_BYTES = 4 * 1024 * 1024;
const FIRST_GUESS_LINES = 1024;
const GUESS_GROWTH = 8;
/** Farther back, reading by time costs less than looking for the place. */
const MAX_GUESS_LINES = 128 * 1024;
/** The log may grow between the look and the read. */
const SLACK = 4;

/**
 * How to ask for everything from a point on. A point in time alone makes the node read the whole file, a number of
 * lines does not (test/recorded/pods-log/size-1GB-*.json); together the lines are counted first. So a number is
 * guessed, and raised until its first line is older than the point. Where none is, the time alone has to do. Throws
 * only when the signal is aborted.
 */
export async function resumeQuery(
  context: ReadContext,
  run: RunAddress,
  sinceTime: Timestamp,
): Promise<Pick<LogQuery, 'sinceTime' | 'tailLines'>> {
  let before: Timestamp | undefined;
  for (let lines = FIRST_GUESS_LINES; lines <= MAX_GUESS_LINES; lines *= GUESS_GROWTH) {
    const first = await firstTime(context, run, lines);
    if (first === undefined) break;
    if (first.seconds < sinceTime.seconds) return { sinceTime, tailLines: lines * SLACK };
    // The log has no more lines than that.
    if (before !== undefined && before.seconds === first.seconds && before.nanos === first.nanos) break;
    before = first;
  }
  return { sinceTime };
}
