import type { ContainerTarget } from '../domain/container.ts';
import { compareTimestamps, type Timestamp } from '../domain/timestamp.ts';
import { firstTime } from './first-record.ts';
import { probeEnd } from './log-end.ts';
import { currentRunId } from './pod-look.ts';
import type { ReadContext } from './read-context.ts';
import { retrying } from './retrying.ts';
import { addressRun, type RunAddress } from './run-address.ts';

/** The status has whole seconds; the runtime takes the time when the process may have written already. */
const START_SLACK_SECONDS = 1;

/** Whether the start of the present run leaves open that a line is of it. */
export function mayBeOfPresent({ state }: ContainerTarget, at: Timestamp): boolean {
  const startedAt = state.kind === 'running' ? state.startedAt : undefined;
  return startedAt === undefined || at.seconds >= startedAt.seconds - START_SLACK_SECONDS;
}

/**
 * ID of the run whose lines were read under `runId`, from the one at `first` on. The log of a run is served before the
 * status of its pod names it; where nothing of the run before was known, nothing told it from that one. The runs of a
 * container follow each other, so the log of the last one tells. Throws only when the signal is aborted.
 */
export async function runReadUnder(
  context: ReadContext,
  look: ContainerTarget,
  runId: string,
  first: Timestamp,
): Promise<string> {
  const [present, last] = [currentRunId(look), look.lastContainerId];
  const isDirect = last === undefined || last === runId;
  if (isDirect && !mayBeOfPresent(look, first)) return runId;
  const before = last === undefined || last === present ? undefined : addressRun(look, last, true);
  const end = before && (await endOf(context, before));
  if (before === undefined || end === undefined) {
    const begins = await firstTime(context, addressRun(look, present, false));
    return begins !== undefined && compareTimestamps(begins, first) <= 0 ? present : runId;
  }
  // Not by the start of the present run alone: a node's clock may have been set back.
  if (compareTimestamps(end, first) < 0) return present;
  if (isDirect) return runId;
  const begins = await firstTime(context, before);
  // Where that is not known, the run is told of as missing.
  return begins === undefined || compareTimestamps(begins, first) <= 0 ? last : runId;
}

async function endOf(context: ReadContext, run: RunAddress): Promise<Timestamp | undefined> {
  const answer = await retrying(context, run, () => probeEnd(context, run));
  return 'value' in answer ? answer.value?.last.at : undefined;
}
