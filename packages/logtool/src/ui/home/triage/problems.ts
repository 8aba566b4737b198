import type { PodsExit, Workload } from '../../../contract/workload.ts';
import { PULL_REASONS } from '../../../domain/verdicts/image-pulls.ts';
import { compareNatural } from '../../../messages/natural-order.ts';

/** How long an exit or a warning counts as recent. */
const LATELY_MS = { exit: 60 * 60_000, warning: 15 * 60_000 } as const;
/** Starting pods, and pods in a rolling update, are not ready for a moment; that is normal. */
const START_MS = 60_000;

/**
 * If a probe's last failure is older than this and the container runs and is ready, the probe has passed
 * since. Most probes repeat after 10 s.
 */
const PROBE_MS = 2 * 60_000;

/** Problems of a workload, worst kind first. */
export const PROBLEM_KINDS = ['failing', 'not-ready', 'restarted', 'warning'] as const;
type ProblemKind = (typeof PROBLEM_KINDS)[number];

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
    const kind = kindOf(workload, nowMs);
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

function kindOf(workload: Workload, nowMs: number): ProblemKind | undefined {
  if (workload.isFailing) return 'failing';
  if (isAtRest(workload)) return undefined;
  if (isNotReady(workload, nowMs)) return 'not-ready';
  if (exitMs(workload, nowMs) !== undefined) return 'restarted';
  return isWarned(workload, nowMs) ? 'warning' : undefined;
}

/** Whether a ready workload without restarts has a recent warning. */
function isWarned(workload: Workload, nowMs: number): boolean {
  const atMs = warningMs(workload, nowMs);
  if (atMs === undefined) return false;
  return workload.lastWarning?.reason !== 'Unhealthy' || nowMs - atMs <= PROBE_MS;
}

/** Whether a workload is finished, or none of it should run now. */
function isAtRest({ kind, status, podsTotal, podsReady }: Workload): boolean {
  const runsToEnd = kind === 'jobs' || kind === 'cronjobs';
  return podsTotal === 0 || status === 'done' || status === 'suspended' || (runsToEnd && podsReady === 0);
}

function isNotReady({ kind, podsReady, podsTotal, notReadySince }: Workload, nowMs: number): boolean {
  if (podsReady >= podsTotal || kind === 'jobs' || kind === 'cronjobs') return false;
  const since = timeOf(notReadySince);
  return since === undefined || nowMs - since >= START_MS;
}

/** Returns when a container last ended, if that was recent and it restarted. */
function exitMs({ lastExit, restarts }: Workload, nowMs: number): number | undefined {
  return restarts === 0 ? undefined : within(timeOf(lastExit?.at), LATELY_MS.exit, nowMs);
}

function warningMs({ lastWarning }: Workload, nowMs: number): number | undefined {
  if (lastWarning === undefined || lastWarning.isOver) return undefined;
  return within(timeOf(lastWarning.at), LATELY_MS.warning, nowMs);
}

function firstSign(workload: Workload, kind: ProblemKind, nowMs: number): number | undefined {
  const warned = warningMs(workload, nowMs) === undefined ? undefined : timeOf(workload.lastWarning?.firstAt);
  const isDown = kind === 'failing' || kind === 'not-ready';
  const signs = [
    warned,
    isDown ? timeOf(workload.notReadySince) : undefined,
    ...exitSigns(workload, isDown, nowMs),
    crashLoopMs(workload),
    timeOf(workload.failingSince),
  ].filter((time) => time !== undefined);
  return signs.length === 0 ? undefined : Math.min(...signs);
}

function exitSigns(workload: Workload, isDown: boolean, nowMs: number): readonly (number | undefined)[] {
  if (isBeforeRun(workload)) return [];
  return [
    isDown ? timeOf(workload.lastExit?.at) : exitMs(workload, nowMs),
    ...otherExits(workload, nowMs).map(({ at }) => timeOf(at)),
  ];
}

/** Returns when the kubelet started to delay restarts of a container: the container was ready in between. */
function crashLoopMs({ waiting, lastWarning }: Workload): number | undefined {
  const isLoop = waiting?.reason === 'CrashLoopBackOff' && lastWarning?.reason === 'BackOff';
  return isLoop ? timeOf(lastWarning.firstAt) : undefined;
}

function within(ms: number | undefined, limitMs: number, nowMs: number): number | undefined {
  return ms !== undefined && nowMs - ms <= limitMs ? ms : undefined;
}

function timeOf(text: string | undefined): number | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
