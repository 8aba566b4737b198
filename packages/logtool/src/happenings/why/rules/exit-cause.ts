import type { FactOf } from '../../../domain/facts/fact.ts';
import type { Probe, VerdictCode } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, factsOf, lastSecond, nodeOf, podOf } from '../evidence.ts';
import { containerOf } from '../pod-now.ts';

export type Exit = FactOf<'exited'>;

/**
 * Maximum time between an event and the end that it caused: the grace period of most pods is half a minute.
 */
const NEAR_SECONDS = 60;

/**
 * Returns the code of the verdict that a run's end proves; undefined if the end was intended, or another fact
 * explains it.
 */
export function causeOfExit(exit: Exit, evidence: Evidence): VerdictCode | undefined {
  const { exitCode, wasDeleted, isInit } = exit.data;
  if (wasDeleted || hasLeft(exit, evidence)) return undefined;
  if (exitCode === 0) return isStartedInVain(exit, evidence) ? 'ended-without-failure' : undefined;
  if (exit.reason === 'OOMKilled') return 'oom-container';
  // The runtime could not start it (pkg/kubelet/kuberuntime, startContainer; containerd and cri-o use these
  // reasons).
  if (exit.reason === 'StartError' || exit.reason === 'ContainerCannotRun') return 'command-not-started';
  if (rebootOf(exit, evidence) !== undefined) return 'node-rebooted';
  if (probeKillOf(exit, evidence) !== undefined) return 'probe-killed';
  return isInit ? 'init-failed' : causeOfCode(exitCode);
}

/**
 * 128 plus the number of a signal: from its own fault, or from a sender. 126, 127: a shell did not find the
 * program to run.
 */
function causeOfCode(exitCode: number): VerdictCode {
  if (exitCode === 126 || exitCode === 127) return 'program-missing';
  if (exitCode === 137 || exitCode === 143) return 'stopped-by-signal';
  return FAULTS.includes(exitCode - 128) ? 'crashed-by-signal' : 'crashed';
}

/** SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS. */
const FAULTS: readonly number[] = [4, 5, 6, 7, 8, 11, 31];

/** Whether the whole pod had to leave. */
function hasLeft({ subject }: Exit, { facts }: Evidence): boolean {
  return facts.some(
    ({ kind, subject: { uid } }) =>
      uid === subject.uid && (kind === 'evicted' || kind === 'preempted' || kind === 'failed'),
  );
}

function isStartedInVain({ subject }: Exit, evidence: Evidence): boolean {
  return containerOf(podOf(evidence, subject), subject.container)?.waiting === 'CrashLoopBackOff';
}

/**
 * Returns the boot of its node that ended a run: the kubelet does not know how the run ended, and reports
 * 255.
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
      Math.abs(lastSecond(fact) - lastSecond(exit)) <= REBOOT_SECONDS,
  );
}

/** A node comes up within a few minutes, and only then does the kubelet report the ends. */
const REBOOT_SECONDS = 600;

export interface ProbeKill {
  readonly probe: Probe;
  readonly fact: FactOf<'event'>;
  /** Whether the event belongs to this end, not to another end of the container. */
  readonly isOwn: boolean;
}

/**
 * Returns the kubelet's report that it kills a container because a probe failed (pkg/kubelet/kuberuntime,
 * killContainer).
 */
export function probeKillOf(exit: Exit, evidence: Evidence): ProbeKill | undefined {
  const kill = eventsOf(evidence, 'Killing').find(
    ({ subject, message }) =>
      subject.uid === exit.subject.uid &&
      subject.container === exit.subject.container &&
      /failed (?:liveness|startup) probe/.test(message),
  );
  if (kill === undefined) return undefined;
  const probe = kill.message.includes('failed startup probe') ? 'startup' : 'liveness';
  const isOwn =
    lastSecond(exit) - kill.at.seconds >= -1 && lastSecond(exit) - lastSecond(kill) <= NEAR_SECONDS;
  const byKill = exit.data.exitCode === 137 || exit.data.exitCode === 143;
  // The kubelet drops frequent events (client-go/tools/record, EventSourceObjectSpamFilter).
  return isOwn || byKill ? { probe, fact: kill, isOwn } : undefined;
}
