import type { FactOf } from '../../../domain/facts/fact.ts';
import type { VerdictCode } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, factsOf, lastSecond, nodeOf, podOf } from '../evidence.ts';
import { containerOf } from '../pod-now.ts';
import { type Exit, FAULTS, graceOf, type KubeletKill, killOf } from './kubelet-kills.ts';
import { nodeOomOf } from './out-of-memory.ts';

/**
 * Returns the code of the verdict that a run's end proves; undefined if the end was intended, or another fact
 * explains it.
 */
export function causeOfExit(exit: Exit, evidence: Evidence): VerdictCode | undefined {
  const { exitCode, wasDeleted, isInit } = exit.data;
  if (wasDeleted || hasLeft(exit, evidence)) return undefined;
  if (exit.reason === 'OOMKilled') return 'oom-container';
  // The runtime could not start it (pkg/kubelet/kuberuntime, startContainer; containerd and cri-o use these
  // reasons).
  if (exit.reason === 'StartError' || exit.reason === 'ContainerCannotRun') return 'command-not-started';
  if (rebootOf(exit, evidence) !== undefined) return 'node-rebooted';
  const kill = killOf(exit, evidence);
  if (kill !== undefined) return causeOfKill(kill, exit, evidence);
  if (nodeOomOf(exit, evidence) !== undefined) return 'oom-node';
  if (exitCode === 0) return isStartedInVain(exit, evidence) ? 'ended-without-failure' : undefined;
  return isInit ? 'init-failed' : causeOfCode(exitCode);
}

/** The kubelet stops the rest of a pod that has ended; that is no cause. */
function causeOfKill({ probe }: KubeletKill, { subject }: Exit, evidence: Evidence) {
  if (probe !== undefined) return 'probe-killed';
  return podOf(evidence, subject)?.isOver === true ? undefined : 'killed-by-kubelet';
}

/**
 * 128 plus the number of a signal: from its own fault, or from a sender. 126, 127: a shell did not find the
 * program to run.
 */
function causeOfCode(exitCode: number): VerdictCode {
  if (exitCode === 126 || exitCode === 127) return 'program-missing';
  if (FAULTS.includes(exitCode - 128)) return 'crashed-by-signal';
  return STOPS.includes(exitCode - 128) ? 'stopped-by-signal' : 'crashed';
}

/**
 * The other signals that end a program by default (signal(7) of Linux): SIGHUP, SIGINT, SIGQUIT, SIGKILL,
 * SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGSTKFLT, SIGVTALRM, SIGPROF, SIGIO, SIGPWR.
 */
const STOPS: readonly number[] = [1, 2, 3, 9, 10, 12, 14, 15, 16, 26, 27, 29, 30];

/** Whether the run ended because the whole pod had to leave: not long before that. */
function hasLeft(exit: Exit, evidence: Evidence): boolean {
  const earliest = lastSecond(exit) + graceOf(exit, evidence);
  return evidence.facts.some(
    ({ kind, reason, subject: { uid }, at }) =>
      uid === exit.subject.uid &&
      (kind === 'evicted' || kind === 'preempted' || kind === 'failed') &&
      at.seconds <= earliest &&
      (reason !== 'DeadlineExceeded' || isByDeadline(exit, evidence)),
  );
}

/**
 * Whether the deadline of a pod can have ended a run: its status does not date the deadline, and keeps how the program
 * ended by itself before. The kubelet then stops the last run, and reports that.
 */
function isByDeadline(exit: Exit, evidence: Evidence): boolean {
  const isLast = !factsOf(evidence, 'exited').some(
    ({ at, subject: { uid, container } }) =>
      uid === exit.subject.uid && container === exit.subject.container && at.seconds > exit.at.seconds,
  );
  return isLast && (DEADLINE_CODES.includes(exit.data.exitCode) || killOf(exit, evidence)?.isOwn === true);
}

/** Exit codes of a program that handles SIGTERM, and after SIGKILL and SIGTERM. */
const DEADLINE_CODES: readonly number[] = [0, 137, 143];

/** Whether the container was started again after this end, or waits for it: its pod did not mean it to end. */
function isStartedInVain({ subject: { uid, container }, data }: Exit, evidence: Evidence): boolean {
  const last = factsOf(evidence, 'exited').findLast(
    ({ subject }) => subject.uid === uid && subject.container === container,
  );
  const pod = evidence.pods.find(({ subject }) => subject.uid === uid);
  const now = containerOf(pod, container);
  const isAgain = now?.isRunning === true && now.restarts > data.restarts && !data.isInit;
  return (now?.waiting === 'CrashLoopBackOff' || isAgain) && last?.data.exitCode === 0;
}

/**
 * Returns the boot of its node that ended a run: the kubelet does not know how the run ended, and reports
 * 255. A program can end with that code itself: the boot ended no run that began after it.
 */
export function rebootOf(
  exit: Exit,
  evidence: Evidence,
): FactOf<'event'> | FactOf<'node-rebooted'> | undefined {
  const { exitCode } = exit.data;
  if (exitCode !== 255 && exit.reason !== 'Unknown' && exit.reason !== 'ContainerStatusUnknown')
    return undefined;
  const node = nodeOf(evidence, exit.subject);
  const boots = [...eventsOf(evidence, 'Rebooted'), ...factsOf(evidence, 'node-rebooted')];
  return boots.find(
    (fact) =>
      fact.subject.kind === 'Node' &&
      fact.subject.name === node &&
      beginOf(exit) < lastSecond(fact) &&
      Math.abs(lastSecond(fact) - lastSecond(exit)) <= REBOOT_SECONDS,
  );
}

/** Returns when a run began, in seconds; if that is unknown, before everything. */
function beginOf(exit: Exit): number {
  const { lastedMs } = exit.data;
  return lastedMs === undefined ? Number.NEGATIVE_INFINITY : lastSecond(exit) - lastedMs / 1_000;
}

/** A node comes up within a few minutes, and only then does the kubelet report the ends. */
export const REBOOT_SECONDS = 600;
