import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import { type Bound, isBeforeFrom } from '../../domain/window.ts';

/** Two pipes of one process are stamped apart: a line may lie this far before the line above it in the file. */
export const DISORDER_NANOS = 200_000_000;
/** More than the clocks of a node and of this machine differ. */
const SKEW_SECONDS = 60;
/** Of a position with only a known time, lines that lie before it by up to this much come again. */
export const AGAIN_SECONDS = 1;

/**
 * The position of one walk through a container's log, kept so that it can be resumed exactly. The log API
 * starts only at whole seconds (test/recorded/pods-log/since-time-nanoseconds.json), so the lines of the last
 * second come again, and are dropped by comparing them, as a multiset of (timestamp, bytes), with those
 * delivered. The multiset is kept as one hash a line: the file's order is fixed, so two lines that share a
 * hash may stand for each other.
 */
export interface Position {
  /**
   * What was delivered last: mostly one segment, none if nothing was delivered. Where the node's clock was set back,
   * the next segment holds the lines after that step, while they are older than the first one's greatest time.
   */
  readonly segments: readonly Segment[];
  /** How the walk through the present run began; undefined while nothing of that run was delivered. */
  readonly run: RunStartSeen | undefined;
  /** Second from which on lines lie that a server withheld (Walk.withheldFrom). */
  readonly withheldFrom: number | undefined;
  /** The line that a view was resumed after, where its time is all that was known. */
  readonly resumed: ResumedLine | undefined;
  /** The number of the next record: those of equal times keep their order across connections. */
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
  /** Those of the second before it. */
  readonly previous: Int32Array;
}

/** The first line that was delivered of a run. */
export interface RunStartSeen {
  readonly first: Timestamp;
  /** That line while it is the only one: of a long line it may be only the end. */
  readonly only: LogRecord | undefined;
}

/** The run that a known line is of: the one read first, that or the one after it, or none that is left. */
type RunOfLine = 'first-run' | 'first-or-second-run' | 'no-run';

/** A line with only its time known. */
export interface ResumedLine {
  readonly at: Timestamp;
  readonly isOf: RunOfLine;
  /** Whether it is still to come again, in the present run or in the one after it. */
  readonly awaits: RunOfLine;
  /** Whether the run that is read had any line. */
  readonly sawLines: boolean;
}

/** Nothing was delivered. */
export const START: Position = {
  segments: [],
  run: undefined,
  withheldFrom: undefined,
  resumed: undefined,
  seq: 0,
};

/**
 * The position after a line with only its time known. The lines around it are delivered once more, for their
 * reader to drop: from the whole second on, and one second before, because lines may be out of order.
 */
export function resumedAfter(at: Timestamp, isOf: RunOfLine): Position {
  return { ...START, resumed: { at, isOf, awaits: isOf, sawLines: false } };
}

/** The greatest timestamp delivered so far. */
export function maxOf({ segments, resumed }: Position): Timestamp | undefined {
  return segments[0]?.max ?? resumed?.at;
}

/** The sinceTime that brings back everything not yet delivered; undefined when nothing was delivered. */
export function sinceOf({ segments, withheldFrom, resumed }: Position): Timestamp | undefined {
  if (segments.length === 0) {
    // One second more, because what a log gives first may be the end of a long line that began earlier, which is no line.
    return resumed && { seconds: resumed.at.seconds - AGAIN_SECONDS - 1, nanos: 0 };
  }
  // After a small step back of the clock, lines continue from the last one.
  const starts = segments.map(({ max, last }) =>
    Math.min(max.seconds - (max.nanos < DISORDER_NANOS ? 1 : 0), last.seconds),
  );
  return { seconds: Math.min(...starts, withheldFrom ?? Number.POSITIVE_INFINITY), nanos: 0 };
}

/**
 * `sinceOf` for a read that continues. Lines stamped in the future would make the server withhold everything
 * that is written from now on (test/recorded/pods-log/follow-since-future.json), so it never lies after the
 * present.
 */
export function sinceAt(position: Position, nowMs: number): Timestamp | undefined {
  const since = sinceOf(position);
  const now = Math.floor(nowMs / 1000);
  return since === undefined || since.seconds <= now
    ? since
    : { seconds: Math.min(since.seconds, now - SKEW_SECONDS), nanos: 0 };
}

/** The same position at the start of the next run of the container: its first line has no known line before it. */
export function atNextRun(position: Position): Position {
  const { resumed } = position;
  const awaits = resumed?.awaits === 'first-or-second-run' ? 'first-run' : 'no-run';
  return { ...position, run: undefined, resumed: resumed && { ...resumed, awaits, sawLines: false } };
}

/** Whether it was taken up at a line that lies before where a window begins. */
export function resumesBefore({ resumed }: Position, from: Bound | undefined): boolean {
  return resumed !== undefined && isBeforeFrom(resumed.at, from);
}

/** A position in words: times, and how many lines of the last seconds it remembers. */
export function positionText({ segments, run, withheldFrom, resumed }: Position): string {
  const runs = segments.map(
    ({ max, last, current, previous }) =>
      `up to ${formatTimestamp(max)}, last ${formatTimestamp(last)}, lines ${current.length}+${previous.length}`,
  );
  if (run !== undefined) runs.push(`run from ${formatTimestamp(run.first)}`);
  if (withheldFrom !== undefined) runs.push(`withheld from ${withheldFrom}`);
  if (resumed !== undefined) runs.push(`after ${formatTimestamp(resumed.at)} of ${resumed.awaits}`);
  return runs.length === 0 ? 'start' : runs.join('; ');
}

/** Whether two walks are at the same line, having delivered the same. */
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

/** As multisets: a resumed walk may have had them in another order. */
function isSameSet(a: Int32Array, b: Int32Array): boolean {
  const other = b.toSorted();
  return a.length === b.length && a.toSorted().every((hash, index) => hash === other[index]);
}
