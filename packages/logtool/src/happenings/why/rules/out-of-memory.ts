import type { Fact, FactOf } from '../../../domain/facts/fact.ts';
import type { Doubt } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, lastSecond, nodeOf } from '../evidence.ts';
import type { Exit } from './kubelet-kills.ts';

/** Reports that the kernel killed a process: of node-problem-detector, and of the kubelet if its node ran out of memory. */
export const KERNEL_KILLS = ['OOMKilling', 'SystemOOM'] as const;

/**
 * Returns the process in a report on a node: `Memory cgroup out of memory: Killed process 56036 (convert)`, `System OOM
 * encountered, victim process: app, pid: 4242` (pkg/kubelet/oom, oomWatcher).
 */
export function oomProcessOf({ message }: Fact): string | undefined {
  return (
    /Killed process \d+ \((.{1,64}?)\)/.exec(message)?.[1] ??
    /^System OOM encountered, victim process: (.{1,64}?), pid: \d+$/.exec(message)?.[1]
  );
}

/** Exit code after SIGKILL, which the kernel sends. */
const KILLED = 137;
/** Both times are of the same node, in whole seconds. */
const SAME_SECONDS = 1;

/**
 * Returns the kubelet's report that its node ran out of memory, of the second in which a run was killed. The status of
 * a container that the kernel kills for the whole node need not have the reason OOMKilled.
 */
export function nodeOomOf(exit: Exit, evidence: Evidence): FactOf<'event'> | undefined {
  if (exit.data.exitCode !== KILLED) return undefined;
  return eventsOf(evidence, 'SystemOOM').find(
    (fact) =>
      fact.subject.name === nodeOf(evidence, exit.subject) &&
      [fact.at.seconds, lastSecond(fact)].some(
        (seconds) => Math.abs(seconds - lastSecond(exit)) <= SAME_SECONDS,
      ),
  );
}

/** Returns processes that the kernel killed on the same node near an end: nothing reports their container. */
export function oomsNear(evidence: Evidence, exits: readonly Exit[]): readonly Doubt[] {
  return eventsOf(evidence, ...KERNEL_KILLS).flatMap((fact): readonly Doubt[] => {
    const process = oomProcessOf(fact);
    const isNear = exits.some(
      (exit) =>
        nodeOf(evidence, exit.subject) === fact.subject.name &&
        Math.abs(lastSecond(exit) - lastSecond(fact)) <= OOM_SECONDS,
    );
    if (process === undefined || !isNear) return [];
    return [{ code: 'oom-on-node', data: { process, node: fact.subject.name } }];
  });
}

const OOM_SECONDS = 60;
