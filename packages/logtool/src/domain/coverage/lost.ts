import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type ContainerTarget, currentRunId, endOfRunsBefore } from '../container.ts';
import type { GapCause } from '../frame.ts';
import { type Interval, intersection, intervals } from './interval.ts';

/** Why records that a container wrote can no longer be read, whoever asks. */
type LostCause = Extract<GapCause, { readonly code: 'begins-late' | 'run-begins-late' | 'runs-gone' }>;

/** Times of a container's life whose records the node no longer has. */
export interface Lost extends Interval {
  readonly cause: LostCause;
}

/**
 * A log that begins longer after its run may have been rotated: the log API reports no rotation. Or the container was
 * silent, like one that only logs errors: nothing that the API serves tells them apart.
 */
export const LATE_SECONDS = 600;

/** More than the clock of a node, which dates records, is behind that of the API server, which dates pods. */
const SKEW_SECONDS = 60;

/** Whether a gap lies before a run or before its first record: the node no longer has what was there, whoever asks. */
export function isLost(cause: GapCause): cause is LostCause {
  return cause.code === 'begins-late' || cause.code === 'run-begins-late' || cause.code === 'runs-gone';
}

/** Whether a gap lies before everything that the node still has of the container. */
export function isBeforeAll(cause: GapCause): boolean {
  return cause.code === 'runs-gone' || (cause.code === 'begins-late' && cause.data.wasRotated !== true);
}

/** Whether a gap is only a possibility: the container may have been silent. */
export function isUnproven(cause: GapCause): boolean {
  if (cause.code === 'run-begins-late') return true;
  return cause.code === 'begins-late' && cause.data.wasRotated !== true;
}

/** Whether the first record of a log is so much later than its run that earlier ones may have been rotated away. */
export function beginsLate(start: Timestamp | undefined, first: Timestamp | undefined): boolean {
  return start !== undefined && first !== undefined && first.seconds - start.seconds > LATE_SECONDS;
}

/**
 * Whether a log without any record may have had some: its run began long before, so the node may have rotated all of them
 * into other files. `start`: of the run; undefined: unknown.
 */
export function mayBeRotatedEmpty(start: Timestamp | undefined, nowSeconds: number): boolean {
  return start !== undefined && nowSeconds - start.seconds > LATE_SECONDS;
}

/** What is known of the time before the first record of a log. */
export interface LateBeginning {
  readonly first: Timestamp;
  /** When its run began; undefined: unknown. */
  readonly start: Timestamp | undefined;
  /** The last record that was read of it earlier; undefined: none was. */
  readonly readTo?: Timestamp | undefined;
  /** Whether the node has an earlier run of the container. */
  readonly hasEarlier: boolean;
}

/** Returns the time before the first record of a log, from the beginning of its run or from a later time. */
export function lostBefore(begin: LateBeginning, from: Timestamp | undefined): Lost | undefined {
  const { first, start, readTo, hasEarlier } = begin;
  if (from !== undefined && compareTimestamps(from, first) >= 0) return undefined;
  const beginsAt = formatTimestamp(first);
  const afterSeconds = beginsLate(start, first) ? first.seconds - start!.seconds : undefined;
  const wasRotated = readTo !== undefined && compareTimestamps(readTo, first) < 0 ? true : undefined;
  const code = hasEarlier && wasRotated !== true ? 'run-begins-late' : 'begins-late';
  return { from, to: first, cause: { code, data: { beginsAt, afterSeconds, wasRotated } } };
}

/**
 * Returns how many earlier runs of a container its node no longer has. It keeps one dead container of each name
 * (test/recorded/pods-log/crashloop-phase-*.json): the previous run while the current one goes on, else that alone.
 */
export function countGone(state: 'running' | 'waiting' | 'terminated', restarts: number): number {
  return Math.max(0, restarts + 1 - (state === 'running' ? 2 : 1));
}

/**
 * Returns the time of the runs that the node certainly no longer has: all but those that the status names. `hasPrevious`:
 * whether it has the previous run that the status names. `first`: the first record that it has. Undefined if there is
 * none, or the time is unknown. No run is older than its pod.
 */
export function lostRuns(
  target: ContainerTarget,
  { hasPrevious, first }: { readonly hasPrevious: boolean; readonly first: Timestamp | undefined },
): Lost | undefined {
  const { restartCount, lastContainerId, podCreatedAt } = target;
  const current = currentRunId(target);
  const oldest = hasPrevious ? (lastContainerId ?? current) : current;
  const named = new Set([oldest, current]);
  named.delete('');
  const count = Math.max(0, restartCount + 1 - Math.max(1, named.size));
  const end = endOfRunsBefore(target, oldest);
  if (count === 0 || end === undefined) return undefined;
  const to = first !== undefined && compareTimestamps(first, end) < 0 ? first : end;
  const created = podCreatedAt && { ...podCreatedAt, seconds: podCreatedAt.seconds - SKEW_SECONDS };
  const from = created !== undefined && compareTimestamps(created, to) < 0 ? created : undefined;
  return { from, to, cause: { code: 'runs-gone', data: { count } } };
}

/** Returns the part of it inside of a range; undefined if there is none. */
export function lostIn(lost: Lost | undefined, range: Interval): Lost | undefined {
  const [inside] = lost === undefined ? [] : intersection(intervals(lost), intervals(range));
  return inside && { ...inside, cause: lost!.cause };
}
