import { type ContainerTarget, currentRunId } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import { isOutage, PodReplaced, StreamAbort } from '../run/source-failure.ts';
import type { StreamEnd } from './follow-connection.ts';

/**
 * A log that ended cleanly while its pod was being deleted, and whose pod is gone so soon afterwards, ended with its
 * container: the kubelet removes a pod only when its containers are over, and ends their follows within a second or so
 * (test/recorded/pods-log/follow-pod-deleted.json).
 */
const ENDED_WITH_POD_MS = 10_000;

/** So long a log comes before those of others: longer than the 30 s that a pod is given to end, if it says nothing. */
const URGENT_MS = 60_000;

/**
 * Facts about the deletion of a pod, to distinguish the end of a log from a cut of its connection. An answer
 * after the end may show that it was a cut; an absent log does not: the node removes the containers of a pod,
 * and their logs, before the pod is gone. Times are of the steady clock, ms.
 */
export interface Deletion {
  /** When the pod was first known to be deleted. */
  readonly sinceMs: number | undefined;
  /** The last clean end of the log, unless something spoke against it since. */
  readonly end: CleanEnd | undefined;
}

interface CleanEnd {
  readonly runId: string;
  readonly atMs: number;
  /** The line without its end that came last. */
  readonly rest: LogRecord | undefined;
  /** When the container was first known to be over. */
  readonly overMs: number | undefined;
}

export const NOT_DELETED: Deletion = { sinceMs: undefined, end: undefined };

/** The pod is being deleted, or is gone. */
export function beginDeletion(deletion: Deletion, atMs: number): Deletion {
  return deletion.sinceMs === undefined ? { ...deletion, sinceMs: atMs } : deletion;
}

/** What the container is now. */
export function seeContainer(deletion: Deletion, target: ContainerTarget, atMs: number): Deletion {
  const begun = target.deleting ? beginDeletion(deletion, atMs) : deletion;
  const { end } = begun;
  if (end === undefined || end.overMs !== undefined) return begun;
  const isOver = target.state.kind === 'terminated' && currentRunId(target) === end.runId;
  const wasReplaced = end.runId !== '' && target.lastContainerId === end.runId;
  return isOver || wasReplaced ? { ...begun, end: { ...end, overMs: atMs } } : begun;
}

/**
 * What the end of a connection shows about the end of a run's log. `isWhole`: the answer continued from what
 * was known, so that nothing lies between.
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

/** The log went on, or may have: its end was that of a connection. */
export function doubtEnd(deletion: Deletion): Deletion {
  return deletion.end === undefined ? deletion : { ...deletion, end: undefined };
}

/** Whether the log of a run ended, as far as is known. */
export function hasEnd({ end }: Deletion, runId: string): boolean {
  return end?.runId === runId;
}

/** The last clean end, where it was that of the container. */
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

/** Whether the pod's logs are about to be gone. */
export function isUrgent({ sinceMs }: Deletion, nowMs: number): boolean {
  return sinceMs !== undefined && nowMs - sinceMs < URGENT_MS;
}

/** Who is away when a log is read on may have cut its connection before. */
function mayBeCut(error: unknown): boolean {
  return isOutage(error) || (error instanceof StreamAbort && !(error instanceof PodReplaced));
}
