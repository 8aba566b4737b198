import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type LogDigest, MAX_BEGINNING } from './log-digest.ts';

/** A dense log that begins so many usual distances late was cut off by its node. */
const CUT_DISTANCES = 20;

export interface LogBeginning {
  readonly seconds: number;
  /** What was written before is not there any more: nothing is known of it. */
  readonly isCut: boolean;
}

/**
 * From when on a log is known: from the beginning of the range that was read, or from the start of a run in it that no other
 * one came before, or from the first line of a log whose earlier lines its node seems to have removed. The log API does not say
 * that a log was rotated (pkg/kubelet/kuberuntime/logs): a log of many lines that begins with a long silence was.
 */
export function beginningOf(
  { beginning, target: { state, restartCount } }: LogDigest,
  from: Timestamp,
): LogBeginning {
  const [first, last] = [beginning[0], beginning.at(-1)];
  const startedAt = state.kind === 'running' ? state.startedAt?.seconds : undefined;
  if (startedAt !== undefined && startedAt > from.seconds && restartCount === 0)
    return { seconds: Math.min(startedAt, first?.seconds ?? startedAt), isCut: false };
  if (first === undefined || last === undefined || beginning.length < MAX_BEGINNING)
    return { seconds: from.seconds, isCut: false };
  const distance = (last.seconds - first.seconds) / beginning.length;
  const isCut = first.seconds - from.seconds > Math.max(1, distance) * CUT_DISTANCES;
  return { seconds: isCut ? first.seconds : from.seconds, isCut };
}
