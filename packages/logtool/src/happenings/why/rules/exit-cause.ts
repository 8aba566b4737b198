import type { FactOf } from '../../../domain/facts/fact.ts';
import type { Probe, VerdictCode } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, factsOf, lastSecond, nodeOf, podOf } from '../evidence.ts';
import { containerOf } from '../pod-now.ts';

export type Exit = FactOf<'exited'>;

/** Between an event and the end that it caused: the grace period of most pods is half a minute. */
const NEAR_SECONDS = 60;

/** How a run may have ended: the code of the verdict that it proves; undefined: its end was wanted, or another fact explains it. */
export function causeOfExit(exit: Exit, evidence: Evidence): VerdictCode | undefined {
  const { exitCode, wasDeleted, isInit } = exit.data;
  if (wasDeleted || hasLeft(exit, evidence)) return undefined;
  if (exitCode === 0) return isStartedInVain(exit, evidence) ? 'ended-without-failure' : undefined;
  if (exit.reason === 'OOMKilled') return 'oom-container';
  // The runtime could not start it (pkg/kubelet/kuberuntime, startContainer; containerd and cri-o name it so).
  if (exit.reason === 'StartError' || exit.reason === 'ContainerCannotRun') return 'command-not-started';
  if (rebootOf(exit, evidence) !== undefined) return 'node-rebooted';
  if (probeKillOf(exit, evidence) !== undefined) return 'probe-killed';
  return isInit ? 'init-failed' : causeOfCode(exitCode);
}

/** 128 and the number of a signal: of its own fault, or of a sender. 126, 127: a shell has not found what it should run. */
function causeOfCode(exitCode: number): VerdictCode {
  if (exitCode === 126 || exitCode === 127) return 'program-missing';
  if (exitCode === 137 || exitCode === 143) return 'stopped-by-signal';
  return FAULTS.includes(exitCode - 128) ? 'crashed-by-signal' : 'crashed';
}

/** SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS. */
const FAULTS: readonly number[] = [4, 5, 6, 7, 8, 11, 31];

/** The pod had to go as a whole. */
function hasLeft({ subject }: Exit, { facts }: Evidence): boolean {
  return facts.some(
    ({ kind, subject: { uid } }) =>
      uid === subject.uid && (kind === 'evicted' || kind === 'preempted' || kind === 'failed'),
  );
}

function isStartedInVain({ subject }: Exit, evidence: Evidence): boolean {
  return containerOf(podOf(evidence, subject), subject.container)?.waiting === 'CrashLoopBackOff';
}

/** The boot of its node that ended a run: the kubelet does not know how it ended, and says 255. */
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

/** A node comes up within some minutes; the kubelet reports the ends only then. */
const REBOOT_SECONDS = 600;

export interface ProbeKill {
  readonly probe: Probe;
  readonly fact: FactOf<'event'>;
  /** The event is of this end, not of another one of the container. */
  readonly isOwn: boolean;
}

/** The kubelet's report that it ends a container (pkg/kubelet/kuberuntime, killContainer): a probe has failed. */
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
  // Events that come often are dropped by the kubelet (client-go/tools/record, EventSourceObjectSpamFilter).
  return isOwn || byKill ? { probe, fact: kill, isOwn } : undefined;
}
