import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type LogDigest, MAX_BEGINNING } from './log-digest.ts';

/** If a dense log begins this many of its usual intervals late, its node has removed earlier lines. */
const CUT_DISTANCES = 20;

export interface LogBeginning {
  readonly seconds: number;
  /** Earlier lines no longer exist: nothing is known of them. */
  readonly isCut: boolean;
  /** There are no earlier lines: its first run started then. */
  readonly isStart: boolean;
}

/**
 * Returns the time from which a log is known: the beginning of the read range, or the start of a run in it
 * that no other run preceded, or the first line of a log whose earlier lines its node seems to have removed.
 * The log API does not report rotation (pkg/kubelet/kuberuntime/logs): a log of many lines that begins with a
 * long silence was rotated.
 */
export function beginningOf(
  { beginning, target: { state, restartCount } }: LogDigest,
  from: Timestamp,
): LogBeginning {
  const [first, last] = [beginning[0], beginning.at(-1)];
  const startedAt = state.kind === 'running' ? state.startedAt?.seconds : undefined;
  if (startedAt !== undefined && startedAt > from.seconds && restartCount === 0)
    return { seconds: Math.min(startedAt, first?.seconds ?? startedAt), isCut: false, isStart: true };
  if (first === undefined || last === undefined || beginning.length < MAX_BEGINNING)
    return { seconds: from.seconds, isCut: false, isStart: false };
  const distance = (last.seconds - first.seconds) / beginning.length;
  const isCut = first.seconds - from.seconds > Math.max(1, distance) * CUT_DISTANCES;
  return { seconds: isCut ? first.seconds : from.seconds, isCut, isStart: false };
}
