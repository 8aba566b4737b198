import { compareTimestamps, type Timestamp, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { startOfRun } from '../../domain/container.ts';
import { beginsLate, type Lost, lostBefore, lostIn, lostRuns } from '../../domain/coverage/lost.ts';
import { PREVIOUS_RUN } from '../run/fetch-container.ts';
import type { FollowEffect, Known } from './follow-state.ts';

/** A line with an earlier time was written before, however much the clocks of a node and of this machine differ. */
const SKEW_MS = 60_000;

/**
 * Takes the first line that was read of a run. Nothing of a run precedes a line that was written during the follow; if
 * only the last lines were requested, or lines from a time inside the run, a request shows whether the log begins with it.
 */
export function noteFirstLine(
  known: Known,
  first: Timestamp | undefined,
): readonly [Known, readonly FollowEffect[]] {
  const { begun, runId, wanted, lastLines, target } = known;
  if (first === undefined || begun?.runId === runId) return [known, []];
  const next: Known = { ...known, begun: { runId, isFirst: begun === undefined } };
  if (timestampToMs(first) >= wanted.sinceMs - SKEW_MS) return [next, goneAtStart(next, first)];
  const start = startOfRun(target, runId);
  const mayLackLines = !isInside(start, wanted.from) && beginsLate(start, first);
  if (lastLines !== undefined || mayLackLines) return [next, [{ type: 'find-beginning', first }]];
  return [next, gapsBefore(next, first)];
}

/** Returns the gaps before the first line that was read of a run, if the run begins with it. */
export function beginningFound(
  known: Known,
  first: Timestamp,
  beginsAt: Timestamp | undefined,
): readonly FollowEffect[] {
  return beginsAt !== undefined && compareTimestamps(beginsAt, first) === 0 ? gapsBefore(known, first) : [];
}

/** Whether a range includes a run from its start; undefined: the start of the run, or of the range, is not known. */
function isInside(start: Timestamp | undefined, from: Timestamp | undefined): boolean {
  return from === undefined || (start !== undefined && compareTimestamps(start, from) >= 0);
}

/** Returns the gap of the runs that were gone when the follow began, if the container has not restarted since. */
function goneAtStart(known: Known, first: Timestamp): readonly FollowEffect[] {
  if (known.target.restartCount !== known.restarts) return [];
  return gapsIn(known, [runsGone(known, first)]);
}

function runsGone({ begun, target, wanted }: Known, first: Timestamp): Lost | undefined {
  const { previous } = wanted;
  if (begun?.isFirst !== true || previous !== 'auto') return undefined;
  const hasPrevious = PREVIOUS_RUN[previous](target) !== undefined;
  return lostRuns(target, { hasPrevious, first: hasPrevious ? undefined : first });
}

/**
 * Returns what the node no longer has before the first line of a run: of the run, and of the runs before the first one.
 */
function gapsBefore(known: Known, first: Timestamp): readonly FollowEffect[] {
  const { begun, runId, target, wanted } = known;
  const { previous, from } = wanted;
  const hasPrevious = PREVIOUS_RUN[previous](target) !== undefined;
  const start = startOfRun(target, runId);
  const hasEarlier = begun?.isFirst !== true || (hasPrevious && runId !== target.lastContainerId);
  const late = beginsLate(start, first)
    ? lostBefore({ first, start, hasEarlier }, isInside(start, from) ? start : from)
    : undefined;
  return gapsIn(known, [runsGone(known, first), late]);
}

/** Returns the gaps inside the wanted range. */
function gapsIn({ wanted: { from } }: Known, all: readonly (Lost | undefined)[]): readonly FollowEffect[] {
  return all.flatMap((lost) => {
    const inside = lostIn(lost, { from, to: undefined });
    return inside === undefined ? [] : [{ type: 'gap' as const, ...inside }];
  });
}
