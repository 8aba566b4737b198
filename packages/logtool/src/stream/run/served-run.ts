import { sleep } from '@logtool/kube/src/values/clock.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../read-context.ts';
import { currentRunId, type FetchedByName, fetchByName } from './fetch-container.ts';
import { firstTime } from './first-record.ts';
import type { RunAddress } from './open-log.ts';

/** What the log API serves in place of a run: another one, or the log of another pod that has the name now. */
export type Served = ContainerTarget | 'replaced';

/** Waits between requests for the pod before it is believed against what the log shows. */
const DOUBTFUL_WAITS_MS = [300, 300, 600, 1_000, 1_000];
/** Requests for a pod to learn the name of a run that is already served; its lines wait no longer for it. */
const LATE_FETCHES = 6;
const LATE_WAIT_MS = 300;
/** More than the clocks of a node and of this machine differ, or a clock that was set. */
const SURE_AGE_SECONDS = 60;
/** The status has whole seconds; the runtime takes the time when the process may have written already. */
const START_SLACK_SECONDS = 1;

/**
 * The pod, or that another has its name, if the log API serves another run under this address than the
 * intended one; undefined if it serves that one, or nothing shows it. The log API knows no runs: it answers
 * each request with the run that is the present, or the last one, at its time. So this holds for the answers
 * before it, and for none after it. `first`: the first line of the answer in question, if it has one.
 */
export async function otherRunServed(
  context: ReadContext,
  run: RunAddress,
  first: LogRecord | undefined,
): Promise<Served | undefined> {
  if (first !== undefined && isSure(context, run, first)) return undefined;
  const fetched = await fetchForRun(context, run.target);
  if (fetched === 'replaced' || isOther(fetched, run)) return fetched;
  if (first === undefined || !contradicts(fetched, run, first.at)) return undefined;
  return (await beginsEarlier(context, run, fetched)) ? undefined : otherRunInDoubt(context, run, 1);
}

/** As `otherRunServed`, where the log shows another run than the pod: its status may be late by seconds. */
export async function otherRunInDoubt(
  context: ReadContext,
  run: RunAddress,
  reads = 0,
): Promise<Served | undefined> {
  for (let attempt = reads; attempt <= DOUBTFUL_WAITS_MS.length; attempt++) {
    const waitMs = DOUBTFUL_WAITS_MS[attempt - 1];
    if (waitMs !== undefined) await sleep(context.clock, waitMs, context.signal);
    const fetched = await fetchForRun(context, run.target);
    if (fetched === 'replaced' || isOther(fetched, run)) return fetched;
  }
  return undefined;
}

/** The present pod; the log is served a moment before the status names the run. */
export async function fetchNamedRun(
  context: ReadContext,
  target: ContainerTarget,
  runId: string,
  signal: AbortSignal,
): Promise<FetchedByName> {
  let fetched = await fetchByName(context, target);
  for (let attempt = 1; attempt < LATE_FETCHES && runId === '' && isUnnamed(fetched); attempt++) {
    await sleep(context.clock, LATE_WAIT_MS, signal);
    fetched = await fetchByName(context, target);
  }
  return fetched;
}

function isUnnamed(fetched: FetchedByName): boolean {
  return typeof fetched !== 'string' && currentRunId(fetched) === '';
}

export function isOtherRun(fetched: FetchedByName, runId: string): fetched is ContainerTarget {
  return typeof fetched !== 'string' && currentRunId(fetched) !== runId;
}

/** The present pod, or its last known state: a removed one may also have been another run. */
async function fetchForRun(context: ReadContext, target: ContainerTarget): Promise<FetchedByName> {
  const fetched = await fetchByName(context, target);
  return fetched === 'gone' ? ((await context.lastStatus?.()) ?? fetched) : fetched;
}

function isOther(fetched: FetchedByName, run: RunAddress): fetched is ContainerTarget {
  if (typeof fetched === 'string') return false;
  const served = run.previous ? fetched.lastContainerId : currentRunId(fetched);
  return served !== run.source.key.containerId;
}

/** A line that is much older than the start of each run that might be served instead. */
function isSure(context: ReadContext, run: RunAddress, { at }: LogRecord): boolean {
  if (!run.previous) return at.seconds < context.resolvedAtMs / 1000 - SURE_AGE_SECONDS;
  const startedAt = startOfPresent(run.target);
  return startedAt !== undefined && at.seconds < startedAt - SURE_AGE_SECONDS;
}

/**
 * An answer may begin with the last second of a run, which shows nothing; the first line of the whole log
 * does. The served run never goes back, so a fact about it now holds for the answer before it.
 */
async function beginsEarlier(
  context: ReadContext,
  run: RunAddress,
  fetched: FetchedByName,
): Promise<boolean> {
  const at = await firstTime(context, run);
  return at !== undefined && !contradicts(fetched, run, at);
}

/**
 * No line of an earlier run is younger than the start of the present one: the status is older than that
 * (follow/behaviour-crash-trace.test.ts).
 */
function contradicts(fetched: FetchedByName, run: RunAddress, at: Timestamp): boolean {
  if (!run.previous || typeof fetched === 'string') return false;
  const startedAt = startOfPresent(fetched);
  return startedAt !== undefined && at.seconds >= startedAt - START_SLACK_SECONDS;
}

function startOfPresent({ state }: ContainerTarget): number | undefined {
  return state.kind === 'running' ? state.startedAt?.seconds : undefined;
}
