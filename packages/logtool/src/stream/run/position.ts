import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import { type Bound, isBeforeFrom } from '../../domain/window.ts';

/**
 * Two pipes of one process get separate timestamps: a line may be this much earlier than the line above it in the file.
 */
export const DISORDER_NANOS = 200_000_000;
/** More than the clock difference between a node and this machine. */
const SKEW_SECONDS = 60;
/** For a position with only a known time, lines that precede it by up to this much come again. */
export const AGAIN_SECONDS = 1;

/**
 * The position of one walk through a container's log, kept so that it can be resumed exactly. The log API starts only
 * at whole seconds (test/recorded/pods-log/since-time-nanoseconds.json), so the lines of the last second come again,
 * and are dropped by comparing them, as a multiset of (timestamp, bytes), with the delivered ones. The multiset is
 * stored as one hash per line: the file's order is fixed, so two lines that share a hash may stand for each other.
 */
export interface Position {
  /**
   * The last delivered lines: mostly one segment, none if nothing was delivered. If the node's clock was set back, the
   * next segment holds the lines after that step, while they are older than the first one's greatest time.
   */
  readonly segments: readonly Segment[];
  /** How the walk through the current run began; undefined if no line of that run was delivered. */
  readonly run: RunStartSeen | undefined;
  /** The log of the current run no longer has any known line: the run continues after them. */
  readonly isRunLost: boolean;
  /** Second from which on a server withheld lines (Walk.withheldFrom). */
  readonly withheldFrom: number | undefined;
  /** The line after which a view resumed, if only its time was known. */
  readonly resumed: ResumedLine | undefined;
  /** The number of the next record: records with equal times keep their order across connections. */
  readonly seq: number;
}

/** Lines of one walk whose timestamps do not step back by more than a second. */
export interface Segment {
  /** The greatest timestamp. */
  readonly max: Timestamp;
  /** The timestamp of the last line in file order. */
  readonly last: Timestamp;
  /** The last whole second, and the hashes of its lines (hashRecord). */
  readonly second: number;
  readonly current: Int32Array;
  /** The hashes of the second before it. */
  readonly previous: Int32Array;
}

/** The first delivered line of a run. */
export interface RunStartSeen {
  readonly first: Timestamp;
  /** That line while it is the only one: it may be only the end of a long line. */
  readonly only: LogRecord | undefined;
}

/** The run of a known line: the run read first, that or the next one, or none that still exists. */
type RunOfLine = 'first-run' | 'first-or-second-run' | 'no-run';

/** A line with only its time known. */
export interface ResumedLine {
  readonly at: Timestamp;
  readonly isOf: RunOfLine;
  /** Whether it is still to come again, in the current run or in the next one. */
  readonly awaits: RunOfLine;
  /** Whether the run being read had any line. */
  readonly sawLines: boolean;
}

/** The position before anything was delivered. */
export const START: Position = {
  segments: [],
  run: undefined,
  isRunLost: false,
  withheldFrom: undefined,
  resumed: undefined,
  seq: 0,
};

/** Whether nothing was delivered before a position. */
export function isStart({ segments, resumed }: Position): boolean {
  return segments.length === 0 && resumed === undefined;
}

/**
 * Returns the position after a line with only its time known. The lines around it are delivered again, for their reader
 * to drop: from the whole second on, and one second before, because lines may be out of order.
 */
export function resumedAfter(at: Timestamp, isOf: RunOfLine): Position {
  return { ...START, resumed: { at, isOf, awaits: isOf, sawLines: false } };
}

/** Returns the greatest timestamp delivered so far. */
export function maxOf({ segments, resumed }: Position): Timestamp | undefined {
  return segments[0]?.max ?? resumed?.at;
}

/**
 * Returns the sinceTime that brings back everything not yet delivered of the current run; undefined if no time limits
 * that. Lines of an earlier run do not: the node's clock may have been set back between the two.
 */
export function sinceOf(position: Position): Timestamp | undefined {
  const { segments, run, isRunLost, withheldFrom, resumed } = position;
  if (segments.length === 0) {
    // One second more, because the first output of a log may be the end of a long line that began earlier, which is not
    // a line.
    return resumed && { seconds: resumed.at.seconds - AGAIN_SECONDS - 1, nanos: 0 };
  }
  if (run === undefined && !isRunLost) return undefined;
  // After a small step back of the clock, lines continue from the last one.
  const starts = segments.map(({ max, last }) =>
    Math.min(max.seconds - (max.nanos < DISORDER_NANOS ? 1 : 0), last.seconds),
  );
  return { seconds: Math.min(...starts, withheldFrom ?? Number.POSITIVE_INFINITY), nanos: 0 };
}

/**
 * Returns `sinceOf` for a read that continues. Lines with a future timestamp would make the server withhold everything
 * written from now on (test/recorded/pods-log/follow-since-future.json), so the result is never in the future.
 */
export function sinceAt(position: Position, nowMs: number): Timestamp | undefined {
  const since = sinceOf(position);
  const now = Math.floor(nowMs / 1000);
  return since === undefined || since.seconds <= now
    ? since
    : { seconds: Math.min(since.seconds, now - SKEW_SECONDS), nanos: 0 };
}

/** Returns the same position at the start of the container's next run, whose first line has no known line before it. */
export function atNextRun(position: Position): Position {
  const { resumed } = position;
  const awaits = resumed?.awaits === 'first-or-second-run' ? 'first-run' : 'no-run';
  return {
    ...position,
    run: undefined,
    isRunLost: false,
    resumed: resumed && { ...resumed, awaits, sawLines: false },
  };
}

/** Whether a position resumed at a line before the start of a window. */
export function resumesBefore({ resumed }: Position, from: Bound | undefined): boolean {
  return resumed !== undefined && isBeforeFrom(resumed.at, from);
}

/** Describes a position: times, and how many lines of the last seconds it remembers. */
export function positionText({ segments, run, isRunLost, withheldFrom, resumed }: Position): string {
  const runs = segments.map(
    ({ max, last, current, previous }) =>
      `up to ${formatTimestamp(max)}, last ${formatTimestamp(last)}, lines ${current.length}+${previous.length}`,
  );
  if (run !== undefined) runs.push(`run from ${formatTimestamp(run.first)}`);
  if (isRunLost) runs.push('run without known lines');
  if (withheldFrom !== undefined) runs.push(`withheld from ${withheldFrom}`);
  if (resumed !== undefined) runs.push(`after ${formatTimestamp(resumed.at)} of ${resumed.awaits}`);
  return runs.length === 0 ? 'start' : runs.join('; ');
}

/** Whether two walks are at the same line and delivered the same. */
export function isSamePosition(a: Position, b: Position): boolean {
  return (
    positionText(a) === positionText(b) &&
    a.segments.every((segment, index) => {
      const other = b.segments[index];
      return (
        other !== undefined &&
        segment.second === other.second &&
        compareTimestamps(segment.max, other.max) === 0 &&
        isSameSet(segment.current, other.current) &&
        isSameSet(segment.previous, other.previous)
      );
    })
  );
}

/** Compares as multisets: a resumed walk may have had them in another order. */
function isSameSet(a: Int32Array, b: Int32Array): boolean {
  const other = b.toSorted();
  return a.length === b.length && a.toSorted().every((hash, index) => hash === other[index]);
}
