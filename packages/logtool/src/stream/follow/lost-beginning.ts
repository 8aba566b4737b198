import { compareTimestamps, type Timestamp, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { startOfRun } from '../../domain/container.ts';
import { beginsLate, lostBefore, lostIn, lostRuns } from '../../domain/coverage/lost.ts';
import { PREVIOUS_RUN } from '../run/fetch-container.ts';
import type { FollowEffect, Known } from './follow-state.ts';

/** A line with an earlier time was written before, however much the clocks of a node and of this machine differ. */
const SKEW_MS = 60_000;

/**
 * Takes the first line that was read of a run. Nothing precedes a line that was written during the follow; if only the
 * last lines were requested, or lines from a time inside the run, a request shows whether the log begins with it.
 */
export function noteFirstLine(
  known: Known,
  first: Timestamp | undefined,
): readonly [Known, readonly FollowEffect[]] {
  const { begun, runId, wanted, lastLines, target } = known;
  if (first === undefined || begun?.runId === runId) return [known, []];
  const next: Known = { ...known, begun: { runId, isFirst: begun === undefined } };
  if (timestampToMs(first) >= wanted.sinceMs - SKEW_MS) return [next, []];
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

/**
 * Returns what the node no longer has before the first line of a run: of the run, and of the runs before the first one.
 */
function gapsBefore({ begun, runId, target, wanted }: Known, first: Timestamp): readonly FollowEffect[] {
  const isFirst = begun?.isFirst === true;
  const { previous, from } = wanted;
  const hasPrevious = PREVIOUS_RUN[previous](target) !== undefined;
  const gone =
    isFirst && previous === 'auto'
      ? lostRuns(target, { hasPrevious, first: hasPrevious ? undefined : first })
      : undefined;
  const start = startOfRun(target, runId);
  const hasEarlier = !isFirst || (hasPrevious && runId !== target.lastContainerId);
  const late = beginsLate(start, first)
    ? lostBefore({ first, start, hasEarlier }, isInside(start, from) ? start : from)
    : undefined;
  return [gone, late].flatMap((lost) => {
    const inside = lostIn(lost, { from, to: undefined });
    return inside === undefined ? [] : [{ type: 'gap' as const, ...inside }];
  });
}
