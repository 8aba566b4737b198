import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../read-context.ts';
import { currentRunId, PREVIOUS_RUN } from './fetch-container.ts';
import { BodyError, LineParser } from './line-parser.ts';
import { retrying } from './retrying.ts';
import { addressRun, logQuery, type RunAddress } from './run-address.ts';

/** Holds a timestamp with any offset and the blank after it. */
const PREFIX_BYTES = 64;

/**
 * Time of the first line of a run, or of its last `tailLines` lines: limitBytes makes it cheap whatever the size of
 * the log (test/recorded/pods-log/limitbytes-10-timestamps.json). Undefined when there is no line, or no such run.
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
  const tail = tailLines === undefined ? {} : { tailLines };
  const query = logQuery(run, { ...tail, limitBytes: PREFIX_BYTES });
  const response = await context.client.log(query, { signal: context.signal });
  const parser = new LineParser(run.source, { seq: 0 });
  const lines: LogRecord[] = [];
  for await (const chunk of response.body) {
    try {
      parser.push(chunk, lines);
    } catch (error) {
      // The second line may be cut inside its timestamp; the first one is all that matters.
      if (lines.length > 0 && error instanceof BodyError) break;
      throw error;
    }
    if (lines.length > 0) break;
  }
  return (lines[0] ?? parser.end())?.at;
}

/**
 * Whether any container has a record before a time. Asks one container after the other: usually the first one
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

/** The runs of a container that a read takes in, the oldest first. */
export function runsOf(target: ContainerTarget, previous: 'auto' | 'no' | 'only'): readonly RunAddress[] {
  const runs: RunAddress[] = [];
  const previousId = PREVIOUS_RUN[previous](target);
  if (previousId !== undefined) runs.push(addressRun(target, previousId, true));
  if (previous !== 'only') runs.push(addressRun(target, currentRunId(target), false));
  return runs;
}
