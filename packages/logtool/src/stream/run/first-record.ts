import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type ContainerTarget, currentRunId } from '../../domain/container.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { PREVIOUS_RUN } from './fetch-container.ts';
import { addressRun, peekLines, type RunAddress } from './open-log.ts';
import { retrying } from './retrying.ts';

/** Room for a timestamp with any offset and the blank after it. */
const PREFIX_BYTES = 64;

/**
 * Returns the time of the first line of a run, or of its last `tailLines` lines: limitBytes makes it cheap for a log of
 * any size (test/recorded/pods-log/limitbytes-10-timestamps.json). Undefined if there is no line, or no such run.
 */
export async function firstTime(
  context: ReadContext,
  run: RunAddress,
  tailLines?: number,
): Promise<Timestamp | undefined> {
  for (let empties = 0; empties < 2; empties++) {
    const answer = await retrying(context, run, () => readPrefix(context, run, tailLines));
    if (!('value' in answer)) return undefined;
    if (answer.value !== undefined) return answer.value;
  }
  return undefined;
}

async function readPrefix(
  context: ReadContext,
  run: RunAddress,
  tailLines: number | undefined,
): Promise<Timestamp | undefined> {
  // Reads one by one: the second line may be truncated inside its timestamp, and only the first one matters.
  for await (const [first] of peekLines(context, run, { tailLines, limitBytes: PREFIX_BYTES }, 1))
    if (first !== undefined) return first.at;
  return undefined;
}

/**
 * Whether any container has a record before a time. Checks one container after the other: usually the first one
 * decides.
 */
export async function hasRecordBefore(
  context: ReadContext,
  targets: readonly ContainerTarget[],
  at: Timestamp,
  previous: 'auto' | 'no' | 'only',
): Promise<boolean> {
  for (const target of targets) {
    for (const run of runsOf(target, previous)) {
      const first = await firstTime(context, run);
      if (first !== undefined && compareTimestamps(first, at) < 0) return true;
    }
  }
  return false;
}

/** Returns the runs of a container that a read includes, the oldest first. */
function runsOf(target: ContainerTarget, previous: 'auto' | 'no' | 'only'): readonly RunAddress[] {
  const runs: RunAddress[] = [];
  const previousId = PREVIOUS_RUN[previous](target);
  if (previousId !== undefined) runs.push(addressRun(target, previousId, true));
  if (previous !== 'only') runs.push(addressRun(target, currentRunId(target), false));
  return runs;
}
