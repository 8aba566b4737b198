import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import {
  type ContainerTarget,
  currentRunId,
  endOfRunsBefore,
  oldestNamedRun,
} from '../../domain/container.ts';
import type { ResumePlan } from '../plan/engine.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { RESTARTED_TWICE } from '../run/failure-policy.ts';
import { previousRunId } from '../run/fetch-container.ts';
import { firstTime } from '../run/first-record.ts';
import { addressRun } from '../run/open-log.ts';
import { type ResumedLine, resumedAfter } from '../run/position.ts';
import { reportGap } from '../run/report-container.ts';
import type { LaneEnd } from '../window/container-lane.ts';

/**
 * Returns where to continue each known container, in place of the end of a window. Containers without a known line have
 * no entry: they are read like those that join. Throws only when the signal is aborted.
 */
export async function resumeEnds(
  context: ReadContext,
  targets: readonly ContainerTarget[],
  { points }: ResumePlan,
  previous: 'auto' | 'no' | 'only',
): Promise<ReadonlyMap<string, LaneEnd>> {
  const ends = await Promise.all(
    targets.map(async (target): Promise<readonly [string, LaneEnd] | undefined> => {
      const point = points.get(target.id);
      if (point?.at === undefined) return undefined;
      return [target.id, await endAt(context, target, point.runId, point.at, previous)];
    }),
  );
  return new Map(ends.filter((end) => end !== undefined));
}

async function endAt(
  context: ReadContext,
  target: ContainerTarget,
  runId: string,
  at: Timestamp,
  previous: 'auto' | 'no' | 'only',
): Promise<LaneEnd> {
  const present = currentRunId(target);
  const before = previousRunId(target);
  const end = (first: string, isOf: ResumedLine['isOf']): LaneEnd => ({
    target,
    runId: first,
    position: resumedAfter(at, isOf),
    outcome: { kind: 'complete' },
  });
  if (runId === '' || runId === present) {
    const isOlder =
      previous !== 'no' && before !== undefined && (await isOlderThanPresent(context, target, at));
    // Without a run, a follower first reads the rest of the previous run.
    return isOlder ? end('', 'first-or-second-run') : end(present, 'first-run');
  }
  if (previous === 'no') return end(present, 'no-run');
  if (runId === before) return end('', 'first-run');
  reportGap(context, target, RESTARTED_TWICE, at, endOfRunsBefore(target, oldestNamedRun(target)));
  return end(before === undefined ? present : '', 'no-run');
}

/**
 * Whether a container's known line belongs to the previous run, although the current one was known: that had no line
 * yet. In the second of its start, either is possible; reading the rest of the previous run then is safe.
 */
async function isOlderThanPresent(
  context: ReadContext,
  target: ContainerTarget,
  at: Timestamp,
): Promise<boolean> {
  const { state } = target;
  if (state.kind === 'running' && state.startedAt !== undefined) return at.seconds <= state.startedAt.seconds;
  const first = await firstTime(context, addressRun(target, currentRunId(target), false));
  return first === undefined || compareTimestamps(at, first) < 0;
}
