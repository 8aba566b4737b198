import type { PodsExit, Workload } from '../../../contract/workload.ts';
import { formatAge } from '../table/ages.tsx';
import { isBeforeRun, otherExits, type Problem } from './problems.ts';

/**
 * A higher exit code means that a signal ended the process: the code is this offset plus the signal's number.
 */
const SIGNALED = 128;
const SIGNALS: Readonly<Record<number, string>> = {
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
};

/** What is wrong, briefly, and the cluster's message about it. */
interface ProblemText {
  /** `OOMKilled 12 min ago, limit 256Mi`, `CrashLoopBackOff, 1 of 3 ready`. */
  readonly what: string;
  /** The cluster's message; empty if it has none. */
  readonly why: string;
}

export function describeProblem({ workload, kind }: Problem, nowMs: number): ProblemText {
  switch (kind) {
    case 'failing':
      return { what: failingText(workload, nowMs), why: whyOf(workload) };
    case 'not-ready':
      return { what: notReadyText(workload, nowMs), why: whyOf(workload) };
    case 'restarted':
      return { what: withCount(exitText(workload, nowMs), workload), why: whyOf(workload) };
    case 'warning':
      return { what: warningText(workload, nowMs), why: workload.lastWarning?.message ?? '' };
  }
}

/**
 * Returns `OOMKilled 12 min ago, limit 256Mi, exit 137` or `Error in 3 pods, last 5 s ago, exit 139
 * (SIGSEGV)`.
 */
export function describeExit(exit: PodsExit, nowMs: number): string {
  const { reason, at, exitCode, memoryLimit, pods } = exit;
  const isKilled = reason === 'OOMKilled';
  const limit = isKilled && memoryLimit !== undefined ? [`limit ${memoryLimit}`] : [];
  const where = pods > 1 ? ` in ${pods.toLocaleString('en')} pods, last` : '';
  const ended = `${reason ?? 'Ended'}${where} ${ago(at, nowMs)}`;
  return [ended, ...limit, exitCodeText(exitCode, isKilled)].join(', ');
}

function exitCodeText(exitCode: number, isKilled: boolean): string {
  const signal = isKilled ? undefined : SIGNALS[exitCode - SIGNALED];
  return signal === undefined ? `exit ${exitCode}` : `exit ${exitCode} (${signal})`;
}

function failingText(workload: Workload, nowMs: number): string {
  const { status, lastExit, failingSince, kind } = workload;
  const state = status ?? 'Failing';
  if (lastExit !== undefined) {
    const exit = exitText(workload, nowMs);
    if (isBeforeRun(workload)) return withCount(`${lastingText(workload, nowMs)}; ${exit}`, workload);
    // The state is either that exit itself or its consequence.
    return withCount(state === lastExit.reason ? exit : `${state}: ${exit}`, workload);
  }
  if (kind === 'jobs' || kind === 'cronjobs')
    return failingSince === undefined ? state : `${state} ${ago(failingSince, nowMs)}`;
  return lastingText(workload, nowMs);
}

/** Returns `ImagePullBackOff for 5 min`. */
function lastingText({ status = 'Failing', failingSince, notReadySince }: Workload, nowMs: number): string {
  const since = failingSince ?? notReadySince;
  return since === undefined ? status : `${status} for ${formatAge(nowMs - Date.parse(since))}`;
}

function notReadyText({ podsReady, podsTotal, notReadySince }: Workload, nowMs: number): string {
  const text = podsTotal === 1 ? 'Not ready' : `${podsTotal - podsReady} of ${podsTotal} pods not ready`;
  return notReadySince === undefined ? text : `${text} for ${formatAge(nowMs - Date.parse(notReadySince))}`;
}

/** Returns the known exits, newest first. */
function exitText(workload: Workload, nowMs: number): string {
  const { lastExit } = workload;
  if (lastExit === undefined) return 'Restarted';
  return [lastExit, ...otherExits(workload, nowMs)].map((exit) => describeExit(exit, nowMs)).join('; ');
}

/** Adds the number of restarts if there are several. */
function withCount(text: string, { restarts }: Workload): string {
  return restarts > 1 ? `${text}, ${restarts.toLocaleString('en')} restarts` : text;
}

function warningText({ lastWarning }: Workload, nowMs: number): string {
  if (lastWarning === undefined) return '';
  const { reason, at, count } = lastWarning;
  const often = count > 1 ? `, ${count.toLocaleString('en')} times` : '';
  return `${reason || 'Warning'} ${ago(at, nowMs)}${often}`;
}

/** Returns the message of a waiting container, else that of the last warning still in effect. */
function whyOf({ waiting, lastWarning }: Workload): string {
  const { image, message = '' } = waiting ?? {};
  const warning =
    lastWarning?.isOver === false && lastWarning.reason !== 'BackOff' ? lastWarning.message : '';
  if (image !== undefined) return [image, message || warning].filter(Boolean).join(': ');
  return message !== '' && !/^back-off .* restarting failed container/.test(message) ? message : warning;
}

function ago(at: string, nowMs: number): string {
  return `${formatAge(nowMs - Date.parse(at))} ago`;
}
