import { type ContainerTarget, currentRunId } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import { isOutage, PodReplaced, StreamAbort } from '../run/read-failure.ts';
import type { StreamEnd } from './follow-connection.ts';

/**
 * A log that ended cleanly during the deletion of its pod ended with its container if the pod is gone within this time:
 * the kubelet removes a pod only after its containers have ended, and ends their follows within a second or so
 * (test/recorded/pods-log/follow-pod-deleted.json).
 */
const ENDED_WITH_POD_MS = 10_000;

/** How long such a log takes precedence over others: longer than the default grace period of a pod, 30 s. */
const URGENT_MS = 60_000;

/**
 * Facts about the deletion of a pod, to distinguish the end of a log from a broken connection. An answer after the end
 * may show that the connection broke; a missing log does not: the node removes the containers of a pod, and their logs,
 * before the pod is gone. Times are of the steady clock, ms.
 */
export interface Deletion {
  /** When the deletion of the pod was first known. */
  readonly sinceMs: number | undefined;
  /** The last clean end of the log, unless later facts contradicted it. */
  readonly end: CleanEnd | undefined;
}

interface CleanEnd {
  readonly runId: string;
  readonly atMs: number;
  /** The last, unterminated line. */
  readonly rest: LogRecord | undefined;
  /** When the end of the container was first known. */
  readonly overMs: number | undefined;
}

export const NOT_DELETED: Deletion = { sinceMs: undefined, end: undefined };

/** Records that the pod is being deleted, or is gone. */
export function beginDeletion(deletion: Deletion, atMs: number): Deletion {
  return deletion.sinceMs === undefined ? { ...deletion, sinceMs: atMs } : deletion;
}

/** Records the container's current state. */
export function seeContainer(deletion: Deletion, target: ContainerTarget, atMs: number): Deletion {
  const begun = target.deleting ? beginDeletion(deletion, atMs) : deletion;
  const { end } = begun;
  if (end === undefined || end.overMs !== undefined) return begun;
  const isOver = target.state.kind === 'terminated' && currentRunId(target) === end.runId;
  const wasReplaced = end.runId !== '' && target.lastContainerId === end.runId;
  return isOver || wasReplaced ? { ...begun, end: { ...end, overMs: atMs } } : begun;
}

/**
 * Judges from the end of a connection whether a run's log ended. `isWhole`: the answer continued from what was known,
 * so that nothing lies between, and came past it.
 */
export function judgeEnd(
  deletion: Deletion,
  end: StreamEnd,
  {
    target,
    runId,
    isWhole,
    atMs,
  }: { target: ContainerTarget; runId: string; isWhole: boolean; atMs: number },
): Deletion {
  if (end.kind === 'clean') {
    const clean = { runId, atMs, rest: end.rest, overMs: undefined };
    return seeContainer({ ...deletion, end: isWhole ? clean : undefined }, target, atMs);
  }
  const isDoubtful = end.kind === 'turn-over' || (end.kind === 'broken' && mayBeCut(end.error));
  return isDoubtful ? doubtEnd(deletion) : deletion;
}

/** Records that the log continued, or may have: only the connection had ended. */
export function doubtEnd(deletion: Deletion): Deletion {
  return deletion.end === undefined ? deletion : { ...deletion, end: undefined };
}

/** Whether the log of a run ended, as far as is known. */
export function hasEnd({ end }: Deletion, runId: string): boolean {
  return end?.runId === runId;
}

/** Returns the last clean end, if it was the end of the container. */
export function endOfContainer(
  { sinceMs, end }: Deletion,
  runId: string,
  nowMs: number,
): { readonly rest: LogRecord | undefined } | undefined {
  if (end?.runId !== runId) return undefined;
  const isNear = (atMs: number) => atMs - end.atMs <= ENDED_WITH_POD_MS;
  const isAnnounced = sinceMs !== undefined && sinceMs < end.atMs;
  const isOver = end.overMs !== undefined && isNear(end.overMs);
  return isOver || (isAnnounced && isNear(nowMs)) ? end : undefined;
}

/** Whether the pod's logs will disappear soon. */
export function isUrgent({ sinceMs }: Deletion, nowMs: number): boolean {
  return sinceMs !== undefined && nowMs - sinceMs < URGENT_MS;
}

/**
 * Whether an outage may have broken the previous connection: a server that is unreachable on resuming may have caused
 * it.
 */
function mayBeCut(error: unknown): boolean {
  return isOutage(error) || (error instanceof StreamAbort && !(error instanceof PodReplaced));
}
