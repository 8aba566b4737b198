/** The state of a workload and of its pods, of those the contract's Workload has. */
export interface WorkloadState {
  readonly kind: string;
  readonly podsReady: number;
  readonly podsTotal: number;
  readonly restarts: number;
  readonly status?: string | undefined;
  /** The cluster reports a failure of the workload or of its pods. */
  readonly isFailing: boolean;
  /** Since when a pod has been missing or not ready, RFC 3339; undefined: none is, or unknown. */
  readonly notReadySince?: string | undefined;
  readonly lastExit?: { readonly at: string } | undefined;
  readonly lastWarning?:
    | { readonly at: string; readonly reason: string; readonly isOver?: boolean | undefined }
    | undefined;
}

/** How long an exit or a warning counts as recent. */
export const LATELY_MS = { exit: 60 * 60_000, warning: 15 * 60_000 } as const;
/** Starting pods, and pods in a rolling update, are not ready for a moment; that is normal. */
const START_MS = 60_000;

/**
 * If a probe's last failure is older than this and the container runs and is ready, the probe has passed
 * since. Most probes repeat after 10 s.
 */
const PROBE_MS = 2 * 60_000;

/** Problems of a workload, worst kind first. */
export const PROBLEM_KINDS = ['failing', 'not-ready', 'restarted', 'warning'] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** Returns why a workload needs attention now; undefined: it does not. Finished and idle ones never do. */
export function problemKindOf(workload: WorkloadState, nowMs: number): ProblemKind | undefined {
  if (workload.isFailing) return 'failing';
  if (isAtRest(workload)) return undefined;
  if (isNotReady(workload, nowMs)) return 'not-ready';
  if (exitMs(workload, nowMs) !== undefined) return 'restarted';
  return isWarned(workload, nowMs) ? 'warning' : undefined;
}

/** Whether a ready workload without restarts has a recent warning. */
function isWarned(workload: WorkloadState, nowMs: number): boolean {
  const atMs = warningMs(workload, nowMs);
  if (atMs === undefined) return false;
  return workload.lastWarning?.reason !== 'Unhealthy' || nowMs - atMs <= PROBE_MS;
}

/** Whether a workload is finished, or none of it should run now. */
function isAtRest({ kind, status, podsTotal, podsReady }: WorkloadState): boolean {
  const runsToEnd = kind === 'jobs' || kind === 'cronjobs';
  return podsTotal === 0 || status === 'done' || status === 'suspended' || (runsToEnd && podsReady === 0);
}

function isNotReady({ kind, podsReady, podsTotal, notReadySince }: WorkloadState, nowMs: number): boolean {
  if (podsReady >= podsTotal || kind === 'jobs' || kind === 'cronjobs') return false;
  const since = timeOf(notReadySince);
  return since === undefined || nowMs - since >= START_MS;
}

/** Returns when a container last ended, if that was recent and it restarted. */
export function exitMs({ lastExit, restarts }: WorkloadState, nowMs: number): number | undefined {
  return restarts === 0 ? undefined : within(timeOf(lastExit?.at), LATELY_MS.exit, nowMs);
}

export function warningMs({ lastWarning }: WorkloadState, nowMs: number): number | undefined {
  if (lastWarning === undefined || lastWarning.isOver) return undefined;
  return within(timeOf(lastWarning.at), LATELY_MS.warning, nowMs);
}

/** Returns a time, ms since the epoch, if it is that recent. */
export function within(ms: number | undefined, limitMs: number, nowMs: number): number | undefined {
  return ms !== undefined && nowMs - ms <= limitMs ? ms : undefined;
}

/** Returns ms since the epoch; undefined: no time. */
export function timeOf(text: string | undefined): number | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
