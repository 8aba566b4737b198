import type { Fact, FactOf } from '../../../domain/facts/fact.ts';
import type { Probe } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, lastSecond, podOf } from '../evidence.ts';
import { containerOf, DEFAULT_GRACE_SECONDS } from '../pod-now.ts';
import { probeSecondsOf } from './probe-signs.ts';

export type Exit = FactOf<'exited'>;

/** The kubelet's report that it stops a container (pkg/kubelet/kuberuntime, killContainer). */
export interface KubeletKill {
  /** Undefined if only the failures of the probe remain. */
  readonly fact: FactOf<'event'> | undefined;
  /** The probe that failed; undefined if the kubelet had another reason. */
  readonly probe: Probe | undefined;
  /** Whether the event belongs to this end; otherwise only to an earlier end of the container. */
  readonly isOwn: boolean;
}

/**
 * Returns the kubelet's report that it ended a run, whatever the exit code: many programs end with 0 on
 * SIGTERM. Without a report on this run, one on an earlier run counts only if something else speaks for it:
 * its probe failed often enough in this run too, or the kubelet may have dropped the report.
 */
export function killOf(exit: Exit, evidence: Evidence): KubeletKill | undefined {
  const own = ownKillOf(exit, evidence);
  if (own !== undefined) return { fact: own, probe: probeOf(own), isOwn: true };
  const fact = earlierKillOf(exit, evidence);
  if (fact === undefined) return unreportedKillOf(exit, evidence);
  const probe = probeOf(fact);
  const hasFailed =
    probe !== undefined && hasFailedIn(exit, probe, evidence) && hasFailedEnough(exit, probe, evidence);
  const isStop = STOP_CODES.includes(exit.data.exitCode) && mayHaveDropped(exit, evidence);
  return hasFailed || (isStop && (probe === undefined || hasLastedEnough(exit, probe, evidence)))
    ? { fact, probe, isOwn: false }
    : undefined;
}

/**
 * Returns the kill that failures of a probe show: the kubelet drops reports that come often, and the cluster lets the
 * earlier ones expire. The last failure is so shortly before the end that it led to it, and there were as many as a
 * kill needs. Signals that a program causes itself have another cause.
 */
function unreportedKillOf(exit: Exit, evidence: Evidence): KubeletKill | undefined {
  if (FAULTS.includes(exit.data.exitCode - 128)) return undefined;
  const probe =
    KILLING.find((each) => hasFailedIn(exit, each, evidence) && hasFailedEnough(exit, each, evidence)) ??
    (hasNeverStarted(exit, evidence) ? 'startup' : undefined);
  return probe && { fact: undefined, probe, isOwn: false };
}

const KILLING: readonly Probe[] = ['liveness', 'startup'];

/**
 * Whether the probe failed as often in a row, in this run, as a kill needs; or may have, if the kubelet may have dropped
 * events of its failures. Of an event that also counts failures in earlier runs, those in this run are not known.
 */
function hasFailedEnough(exit: Exit, probe: Probe, evidence: Evidence): boolean {
  const container = containerOf(podOf(evidence, exit.subject), exit.subject.container);
  const threshold = container?.probeThresholds[probe];
  if (threshold === undefined || !hasLastedEnough(exit, probe, evidence)) return false;
  if (mayHaveDropped(exit, evidence)) return true;
  const own = probeFailuresOf(evidence, exit, probe).filter(
    (fact) => isInRun(fact.at.seconds, exit) && isInRun(lastSecond(fact), exit),
  );
  const failures = own.reduce((sum, { count }) => sum + count, 0);
  const span = Math.max(...own.map(lastSecond)) - Math.min(...own.map(({ at }) => at.seconds));
  const seconds = probeSecondsOf(evidence, exit.subject, probe) / threshold;
  // The more time is between them, the more of the probes between them succeeded.
  return failures >= threshold && span <= failures * seconds;
}

/**
 * Whether a run was stopped when its startup probe would have ended it, although the events tell neither: so many
 * failures come before the kill that the kubelet drops those of later runs.
 */
function hasNeverStarted(exit: Exit, evidence: Evidence): boolean {
  const { lastedMs, exitCode } = exit.data;
  const container = containerOf(podOf(evidence, exit.subject), exit.subject.container);
  const latest = probeSecondsOf(evidence, exit.subject, 'startup') + graceOf(exit, evidence);
  return (
    container?.isStarted === false &&
    STOP_CODES.includes(exitCode) &&
    lastedMs !== undefined &&
    lastedMs / 1_000 <= latest &&
    probeFailuresOf(evidence, exit, 'startup').length > 0 &&
    mayHaveDropped(exit, evidence) &&
    hasLastedEnough(exit, 'startup', evidence)
  );
}

/** Whether a run lasted so long that failures of its probe can have ended it. */
function hasLastedEnough({ subject, data }: Exit, probe: Probe, evidence: Evidence): boolean {
  const least = containerOf(podOf(evidence, subject), subject.container)?.probeMinSeconds[probe] ?? 0;
  // Both ends are whole seconds.
  return data.lastedMs === undefined || data.lastedMs / 1_000 >= least - 1;
}

/**
 * Signals of the program's own doing: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPIPE, SIGXCPU,
 * SIGXFSZ, SIGSYS.
 */
export const FAULTS: readonly number[] = [4, 5, 6, 7, 8, 11, 13, 24, 25, 31];

/** Exit codes after SIGTERM and SIGKILL. */
const STOP_CODES: readonly number[] = [0, 137, 143];

function ownKillOf(exit: Exit, evidence: Evidence): FactOf<'event'> | undefined {
  const grace = graceOf(exit, evidence);
  const isOwn = (seconds: number) => isInRun(seconds, exit) && lastSecond(exit) - seconds <= grace;
  // Of a series, only the first and the last time are known.
  const found = eventsOf(evidence, 'Killing').flatMap((fact) => {
    const seconds = isSameContainer(fact, exit) ? [fact.at.seconds, lastSecond(fact)].find(isOwn) : undefined;
    return seconds === undefined ? [] : [{ fact, seconds }];
  });
  return found.sort((a, b) => a.seconds - b.seconds)[0]?.fact;
}

/** Returns how long after the kubelet's report a run may end, in seconds. */
export function graceOf({ subject }: Pick<Fact, 'subject'>, evidence: Evidence): number {
  return (podOf(evidence, subject)?.graceSeconds ?? DEFAULT_GRACE_SECONDS) + SLACK;
}

/** A runtime may need this many seconds more than the grace period. */
const SLACK = 30;

/** Returns the last report that the kubelet ended an earlier run of the container, for a reason that may recur. */
export function earlierKillOf(exit: Exit, evidence: Evidence): FactOf<'event'> | undefined {
  return eventsOf(evidence, 'Killing').findLast(
    (fact) =>
      isSameContainer(fact, exit) &&
      fact.at.seconds < lastSecond(exit) &&
      (probeOf(fact) !== undefined || isFailedHook(fact)),
  );
}

/** startContainer: the hook after the start failed. */
export function isFailedHook({ message }: Fact): boolean {
  return message === 'FailedPostStartHook';
}

/** computePodActions: `Container app failed liveness probe, will be restarted`. */
export function probeOf({ message }: Fact): Probe | undefined {
  return /failed (liveness|startup) probe/.exec(message)?.[1] as Probe | undefined;
}

/** Whether an event tells that the probe failed in this run, so shortly before its end that it led to it. */
function hasFailedIn(exit: Exit, probe: Probe, evidence: Evidence): boolean {
  const seconds = graceOf(exit, evidence) + probeSecondsOf(evidence, exit.subject, probe);
  return probeFailuresOf(evidence, exit, probe).some(
    (fact) => isInRun(lastSecond(fact), exit) && lastSecond(exit) - lastSecond(fact) <= seconds,
  );
}

/** Returns the reports that a probe of the exit's container failed. */
export function probeFailuresOf(evidence: Evidence, exit: Exit, probe: Probe): readonly FactOf<'event'>[] {
  return eventsOf(evidence, 'Unhealthy').filter(
    (fact) => isSameContainer(fact, exit) && fact.message.toLowerCase().startsWith(probe),
  );
}

/**
 * Whether the kubelet may have dropped events about the pod: above 25 it sends one in five minutes
 * (client-go/tools/record, EventSourceObjectSpamFilter).
 */
export function mayHaveDropped({ subject }: Pick<Fact, 'subject'>, { facts }: Evidence): boolean {
  const sent = facts.reduce(
    (sum, fact) =>
      fact.kind === 'event' && fact.subject.uid === subject.uid && fact.data.controller === 'kubelet'
        ? sum + fact.count
        : sum,
    0,
  );
  return sent >= SPAM_BURST;
}

const SPAM_BURST = 25;

/** Both times are of the same node, in whole seconds. */
function isInRun(seconds: number, exit: Exit): boolean {
  const { lastedMs } = exit.data;
  const end = lastSecond(exit);
  const start = lastedMs === undefined ? Number.NEGATIVE_INFINITY : end - lastedMs / 1_000;
  return seconds >= start - 1 && seconds <= end + 1;
}

function isSameContainer(fact: Fact, { subject }: Exit): boolean {
  return fact.subject.uid === subject.uid && fact.subject.container === subject.container;
}
