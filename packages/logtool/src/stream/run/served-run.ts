import { type Attempt, retry } from '@logtool/kube/src/values/retry.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type ContainerTarget, currentRunId } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { type FetchedByName, fetchByName } from './fetch-container.ts';
import { firstTime } from './first-record.ts';
import type { RunAddress } from './open-log.ts';

/** What the log API serves in place of a run: another one, or the log of another pod that has the name now. */
export type Served = ContainerTarget | 'replaced';

/** Requests for the pod before trusting it against the log: its status may be late by seconds. */
const DOUBTFUL_POLICY = { waitsMs: [300, 300, 600, 1_000, 1_000], maxTries: 6 } as const;
/** Requests for a pod to learn the name of a run that is already served; its lines wait no longer for it. */
const LATE_NAME_POLICY = { waitsMs: [300], maxTries: 6 } as const;
/** More than the clock difference between a node and this machine, or a clock that was set. */
const SURE_AGE_SECONDS = 60;
/** The status has whole seconds; the runtime takes the time when the process may already have written. */
const START_SLACK_SECONDS = 1;

/**
 * Returns the pod, or that another has its name, if the log API serves another run under this address than the intended
 * one; undefined if it serves that one, or nothing shows it. The log API does not identify runs: it answers each
 * request with the run that is current, or last, at its time. So this holds for earlier answers, and for no later one.
 * `first`: the first line of the answer in question, if it has one. `named`: the run is the current one and may
 * have begun after the view, so that the age of its lines proves nothing; waits for its name until this is aborted.
 */
export async function otherRunServed(
  context: ReadContext,
  run: RunAddress,
  first: LogRecord | undefined,
  named?: AbortSignal,
): Promise<Served | undefined> {
  if (named !== undefined) {
    const fetched = await fetchNamedRun(context, run, named);
    return fetched === 'replaced' || isOther(fetched, run) ? fetched : undefined;
  }
  if (first !== undefined && isSure(context, run, first)) return undefined;
  const fetched = await fetchForRun(context, run.target);
  if (fetched === 'replaced' || isOther(fetched, run)) return fetched;
  if (first === undefined || !contradicts(fetched, run, first.at)) return undefined;
  return (await beginsEarlier(context, run, fetched)) ? undefined : otherRunInDoubt(context, run, fetched);
}

/** Like `otherRunServed`, if the log indicates another run than the pod. `known`: the pod as just fetched. */
export function otherRunInDoubt(
  context: ReadContext,
  run: RunAddress,
  known?: FetchedByName,
): Promise<Served | undefined> {
  const attempt = async (failures: number): Promise<Attempt<Served | undefined>> => {
    const first = failures === 0 ? known : undefined;
    const fetched = first ?? (await fetchForRun(context, run.target));
    const isOtherOne = fetched === 'replaced' || isOther(fetched, run);
    return isOtherOne ? { state: 'done', value: fetched } : { state: 'pending', value: undefined };
  };
  return retry(DOUBTFUL_POLICY, attempt, context);
}

/** Fetches the current pod; the log is served slightly before the status names the run. */
function fetchNamedRun(
  context: ReadContext,
  { target, identity }: RunAddress,
  signal: AbortSignal,
): Promise<FetchedByName> {
  const attempt = async (): Promise<Attempt<FetchedByName>> => {
    const fetched = await fetchByName(context, target);
    return {
      state: identity.key.containerId === '' && isUnnamed(fetched) ? 'pending' : 'done',
      value: fetched,
    };
  };
  return retry(LATE_NAME_POLICY, attempt, { clock: context.clock, signal });
}

function isUnnamed(fetched: FetchedByName): boolean {
  return typeof fetched !== 'string' && currentRunId(fetched) === '';
}

export function isOtherRun(fetched: FetchedByName, runId: string): fetched is ContainerTarget {
  return typeof fetched !== 'string' && currentRunId(fetched) !== runId;
}

/** Fetches the current pod, or its last known state: a removed one may also have been another run. */
async function fetchForRun(context: ReadContext, target: ContainerTarget): Promise<FetchedByName> {
  const fetched = await fetchByName(context, target);
  return fetched === 'gone' ? ((await context.lastStatus?.()) ?? fetched) : fetched;
}

function isOther(fetched: FetchedByName, run: RunAddress): fetched is ContainerTarget {
  if (typeof fetched === 'string') return false;
  const served = run.previous ? fetched.lastContainerId : currentRunId(fetched);
  return served !== run.identity.key.containerId;
}

/** Whether a line is much older than the start of each run that might be served instead. */
function isSure(context: ReadContext, run: RunAddress, { at }: LogRecord): boolean {
  if (!run.previous) return at.seconds < context.resolvedAtMs / 1000 - SURE_AGE_SECONDS;
  const startedAt = startOfPresent(run.target);
  return startedAt !== undefined && at.seconds < startedAt - SURE_AGE_SECONDS;
}

/**
 * Whether the whole log begins in the intended run. An answer may begin with the last second of a run, which proves
 * nothing; the first line of the whole log does. The served run never goes back, so a fact about it now holds for the
 * answer before it.
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
 * Whether a line contradicts the pod's status: no line of an earlier run is younger than the start of the current one,
 * so the status is outdated (follow/behaviour-crash-trace.test.ts).
 */
function contradicts(fetched: FetchedByName, run: RunAddress, at: Timestamp): boolean {
  if (!run.previous || typeof fetched === 'string') return false;
  const startedAt = startOfPresent(fetched);
  return startedAt !== undefined && at.seconds >= startedAt - START_SLACK_SECONDS;
}

function startOfPresent({ state }: ContainerTarget): number | undefined {
  return state.kind === 'running' ? state.startedAt?.seconds : undefined;
}
