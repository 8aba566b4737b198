import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type ContainerTarget, startOfRun } from '../../domain/container.ts';
import type { Interval } from '../../domain/coverage/interval.ts';
import { beginsLate, type Lost, lostBefore, lostIn, lostRuns } from '../../domain/coverage/lost.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { firstTime } from './first-record.ts';
import type { RunAddress } from './open-log.ts';
import { reportGap } from './report-container.ts';

/** A range that is read from its beginning. */
export interface WantedRange extends Interval {
  /** The last record before it that was read earlier: if the log begins later now, it was rotated since. */
  readonly readTo: Timestamp | undefined;
}

/**
 * Reports what the node no longer has of a run in a range. `hasEarlier`: the node has an earlier run. `first`: the first
 * record of the answer, which begins before the range if the log does. If only a request can show whether the log begins
 * before the range, makes it.
 */
export async function reportLateBeginning(
  context: ReadContext,
  run: RunAddress,
  first: Timestamp,
  range: WantedRange & { readonly hasEarlier: boolean },
): Promise<void> {
  const { from, readTo, hasEarlier } = range;
  if (from !== undefined && compareTimestamps(first, from) < 0) return;
  const { target, identity } = run;
  const start = startOfRun(target, identity.key.containerId);
  const isInside = from === undefined || (start !== undefined && compareTimestamps(start, from) >= 0);
  const read = isOfRun(readTo, start) && !isInside ? readTo : undefined;
  if (!(beginsLate(start, first) || read !== undefined)) return;
  const begin = isInside ? first : await firstTime(context, run);
  if (begin === undefined) return;
  const lost = lostBefore({ first: begin, start, readTo: read, hasEarlier }, isInside ? start : from);
  reportLost(context, target, lostIn(lost, range));
}

/** Whether a record was certainly written by a run, whose start is known to the second. */
function isOfRun(at: Timestamp | undefined, start: Timestamp | undefined): boolean {
  return at !== undefined && start !== undefined && at.seconds > start.seconds;
}

/** Reports that the node no longer has some of a container's runs, if they were in a range: see lostRuns. */
export function reportGoneRuns(
  context: ReadContext,
  target: ContainerTarget,
  range: Interval,
  kept: Parameters<typeof lostRuns>[1],
): void {
  reportLost(context, target, lostIn(lostRuns(target, kept), range));
}

function reportLost(context: ReadContext, target: ContainerTarget, lost: Lost | undefined): void {
  if (lost !== undefined) reportGap(context, target, lost.cause, lost.from, lost.to);
}
