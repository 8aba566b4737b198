import { sleep } from '../domain/clock.ts';
import type { ContainerTarget } from '../domain/container.ts';
import type { LogRecord } from '../domain/record.ts';
import { currentRunId, type Look, lookAtPod } from './pod-look.ts';
import type { ReadContext } from './read-context.ts';
import type { RunAddress } from './run-address.ts';

/** Looks at the pod before it is believed against what the log shows. */
const DOUBTFUL_LOOKS = 3;
const DOUBTFUL_WAIT_MS = 300;
/** More than the clocks of a node and of this machine differ, or a clock that was set. */
const SURE_AGE_SECONDS = 60;
/** The status has whole seconds; the runtime takes the time when the process may have written already. */
const START_SLACK_SECONDS = 1;

/**
 * The pod where the log API serves another run under this address than the one that is meant; undefined where it
 * serves that one, or nothing tells. The log API knows no runs: each request is answered with the run that is the
 * present, or the last one, at its time. So this holds for the answers before it, and for none behind it.
 * `first`: the first line of the answer in question, where it has one.
 */
export async function otherRunServed(
  context: ReadContext,
  run: RunAddress,
  first: LogRecord | undefined,
): Promise<ContainerTarget | undefined> {
  if (first !== undefined && isSure(context, run, first)) return undefined;
  const look = await lookAtPod(context, run.target);
  if (isOther(look, run)) return look;
  const isDoubtful = first !== undefined && contradicts(look, run, first);
  return isDoubtful ? otherRunInDoubt(context, run, 1) : undefined;
}

/** As `otherRunServed`, where the log shows another run than the pod: its status may be late by a second. */
export async function otherRunInDoubt(
  context: ReadContext,
  run: RunAddress,
  looks = 0,
): Promise<ContainerTarget | undefined> {
  for (let attempt = looks; attempt < DOUBTFUL_LOOKS; attempt++) {
    if (attempt > 0) await sleep(context.clock, DOUBTFUL_WAIT_MS, context.signal);
    const look = await lookAtPod(context, run.target);
    if (isOther(look, run)) return look;
  }
  return undefined;
}

function isOther(look: Look, run: RunAddress): look is ContainerTarget {
  if (look === 'gone' || look === 'unknown') return false;
  const served = run.previous ? look.lastContainerId : currentRunId(look);
  return served !== run.source.key.containerId;
}

/** A line that is much older than the start of each run that might be served instead. */
function isSure(context: ReadContext, run: RunAddress, { at }: LogRecord): boolean {
  if (!run.previous) return at.seconds < context.resolvedAtMs / 1000 - SURE_AGE_SECONDS;
  const startedAt = startOfPresent(run.target);
  return startedAt !== undefined && at.seconds < startedAt - SURE_AGE_SECONDS;
}

/** No line of an earlier run is younger than the start of the present one: the status is of before that. */
function contradicts(look: Look, run: RunAddress, { at }: LogRecord): boolean {
  if (!run.previous || look === 'gone' || look === 'unknown') return false;
  const startedAt = startOfPresent(look);
  return startedAt !== undefined && at.seconds >= startedAt - START_SLACK_SECONDS;
}

function startOfPresent({ state }: ContainerTarget): number | undefined {
  return state.kind === 'running' ? state.startedAt?.seconds : undefined;
}
