import type { PodsExit, Workload } from '../../../contract/workload.ts';
import { PULL_REASONS } from '../../../domain/verdicts/image-pulls.ts';
import {
  exitMs,
  LATELY_MS,
  PROBLEM_KINDS,
  type ProblemKind,
  problemKindOf,
  timeOf,
  warningMs,
  within,
} from '../../../domain/verdicts/workload-problem.ts';
import { compareNatural } from '../../../messages/natural-order.ts';
import { sourceArgument } from '../list/source-argument.ts';

export interface Problem {
  readonly workload: Workload;
  readonly kind: ProblemKind;
  /**
   * The earliest sign that the cluster still reports, ms since the epoch; undefined if no sign has a time.
   */
  readonly firstMs: number | undefined;
}

/** Returns the workloads that need attention now; finished and idle ones never do. */
export function findProblems(workloads: Iterable<Workload>, nowMs: number): readonly Problem[] {
  const problems: Problem[] = [];
  for (const workload of workloads) {
    // The workload's own problem already covers its pods.
    if (workload.ownerId !== undefined || workload.isPartial === true) continue;
    const kind = problemKindOf(workload, nowMs);
    if (kind !== undefined) problems.push({ workload, kind, firstMs: firstSign(workload, kind, nowMs) });
  }
  const rank = ({ kind }: Problem) => PROBLEM_KINDS.indexOf(kind);
  return problems.sort(
    (a, b) =>
      rank(a) - rank(b) ||
      compareNatural(a.workload.name, b.workload.name) ||
      compareNatural(a.workload.namespace, b.workload.namespace),
  );
}

/** Returns the earliest sign; undefined if no sign has a time. */
export function firstOf(problems: readonly Problem[]): number | undefined {
  const times = problems.flatMap(({ firstMs }) => firstMs ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Returns recent exits of the containers that differ from the last one. */
export function otherExits({ otherExits: others = [] }: Workload, nowMs: number): readonly PodsExit[] {
  return others.filter(({ at }) => within(timeOf(at), LATELY_MS.exit, nowMs) !== undefined);
}

/** States of pods whose containers cannot start: no end of a container led to them, only to the state of others. */
const BEFORE_RUN: readonly string[] = [
  ...PULL_REASONS,
  'CreateContainerConfigError',
  'CreateContainerError',
  'FailedCreate',
  'Unschedulable',
];

/** Whether a workload fails because containers cannot start, so that known ends of others have another cause. */
export function isBeforeRun({ status = '' }: Workload): boolean {
  return BEFORE_RUN.includes(status.replace(/^Init:/, ''));
}

function firstSign(workload: Workload, kind: ProblemKind, nowMs: number): number | undefined {
  const warned = warningMs(workload, nowMs) === undefined ? undefined : timeOf(workload.lastWarning?.firstAt);
  const signs = [
    warned,
    isDown(kind) ? timeOf(workload.notReadySince) : undefined,
    ...exitsOf(workload, kind, nowMs).map(({ at, firstAt = at }) => timeOf(firstAt)),
    crashLoopMs(workload),
    timeOf(workload.failingSince),
  ].filter((time) => time !== undefined);
  return signs.length === 0 ? undefined : Math.min(...signs);
}

/** Returns the ends of containers that belong to the problem. */
function exitsOf(workload: Workload, kind: ProblemKind, nowMs: number): readonly PodsExit[] {
  if (isBeforeRun(workload)) return [];
  const { lastExit } = workload;
  const isRecent = isDown(kind) || exitMs(workload, nowMs) !== undefined;
  return [...(lastExit !== undefined && isRecent ? [lastExit] : []), ...otherExits(workload, nowMs)];
}

/**
 * Returns the sources whose logs show a problem: the workload, of which logs have the main container, and other
 * containers that ended or cannot run, such as an init container or a sidecar.
 */
export function sourcesOf({ workload, kind }: Problem, nowMs: number): readonly string[] {
  const own = sourceArgument(workload);
  const { containers = [], waiting } = workload;
  const exits = exitsOf(workload, kind, nowMs);
  const names = new Set(
    [...exits, ...(waiting === undefined ? [] : [waiting])].map(({ container }) => container),
  );
  // The logs of the workload have the main one, which is the first.
  names.delete(containers[0] ?? '');
  return [own, ...[...names].filter((name) => containers.includes(name)).map((name) => `${own}/${name}`)];
}

/** Returns as many problems from the first on as have at most `limit` sources together, and these sources. */
export function openTogether(
  problems: readonly Problem[],
  limit: number,
  nowMs: number,
): { readonly opened: readonly Problem[]; readonly sources: readonly string[] } {
  const opened: Problem[] = [];
  const sources: string[] = [];
  for (const problem of problems) {
    const own = sourcesOf(problem, nowMs);
    if (sources.length + own.length > limit) break;
    opened.push(problem);
    sources.push(...own);
  }
  return { opened, sources };
}

/** Whether a workload does not work now, rather than lately. */
export function isDown(kind: ProblemKind): boolean {
  return kind === 'failing' || kind === 'not-ready';
}

/** Returns when the kubelet started to delay restarts of a container: the container was ready in between. */
function crashLoopMs({ waiting, lastWarning }: Workload): number | undefined {
  const isLoop = waiting?.reason === 'CrashLoopBackOff' && lastWarning?.reason === 'BackOff';
  return isLoop ? timeOf(lastWarning.firstAt) : undefined;
}
