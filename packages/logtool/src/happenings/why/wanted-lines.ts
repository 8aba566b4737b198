import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type ContainerTarget, currentRunId } from '../../domain/container.ts';
import type { Verdict } from '../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf } from './evidence.ts';
import { KERNEL_KILLS, oomProcessOf } from './rules/out-of-memory.ts';

/** Maximum logs to read for one explanation. */
const MAX_LOGS = 8;

/** Lines that would add information to a fact. */
export type WantedLines =
  | {
      readonly kind: 'before-exit';
      readonly factId: string;
      readonly at: Timestamp;
      readonly target: ContainerTarget;
      /** Which run ended: the previous one of its container, or the current one. */
      readonly isPrevious: boolean;
    }
  | {
      readonly kind: 'around';
      readonly factId: string;
      readonly at: Timestamp;
      readonly target: ContainerTarget;
      /** The lines count only if one of them has this token. */
      readonly token: string;
    };

/**
 * Selects the last end of each verdict, and what containers wrote when the kernel killed a process on their
 * node.
 */
export function wantedLines(
  evidence: Evidence,
  verdicts: readonly Verdict[],
  targets: readonly ContainerTarget[],
): readonly WantedLines[] {
  const ends = verdicts.flatMap(({ code, proof }) => {
    // No process ran that could have written a line.
    if (code === 'command-not-started') return [];
    const exit = proof.findLast(({ kind }) => kind === 'exited');
    if (exit === undefined) return [];
    const { uid, container, run } = exit.subject;
    const target = targets.find((each) => each.podUid === uid && each.container === container);
    if (target === undefined) return [];
    const isCurrent = currentRunId(target) === run;
    if (!isCurrent && target.lastContainerId !== run) return [];
    return [{ kind: 'before-exit' as const, factId: exit.id, at: exit.at, target, isPrevious: !isCurrent }];
  });
  const ids = new Set(ends.map(({ factId }) => factId));
  const first = ends.filter(({ factId }) => ids.delete(factId));
  const proven = new Set(verdicts.flatMap(({ proof }) => proof.map(({ id }) => id)));
  const kills = kernelKills(evidence, targets).filter(({ factId }) => !proven.has(factId));
  return [...first, ...kills].slice(0, MAX_LOGS);
}

function kernelKills(evidence: Evidence, targets: readonly ContainerTarget[]): readonly WantedLines[] {
  return eventsOf(evidence, ...KERNEL_KILLS).flatMap((fact) => {
    const token = oomProcessOf(fact);
    const here = targets.filter(
      ({ placement, state }) => placement.node === fact.subject.name && state.kind === 'running',
    );
    if (token === undefined) return [];
    return here.map((target) => ({ kind: 'around' as const, factId: fact.id, at: fact.at, target, token }));
  });
}
