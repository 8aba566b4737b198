import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { type ContainerTail, type ContainerTailOptions, readContainerTail } from './container-tail.ts';
import { hasContext, isKept, LEFT_OUT } from './tail-keeper.ts';
import { passingRecords } from './tail-records.ts';
import type { WindowInput } from './window-result.ts';

/** A container whose last records are wanted. */
export interface ContainerSegment {
  readonly target: ContainerTarget;
  want: number;
  tail: ContainerTail | undefined;
  /**
   * The records in `tail` that match by themselves: context is added to the chosen ones at the end. For whole records,
   * their heads.
   */
  passed: readonly LogRecord[];
  /** Time of the first known record, whether it passed or not: nothing before it is known. */
  floor: Timestamp | undefined;
  /** Records before this time were dropped, because enough follow. */
  cutAt: Timestamp | undefined;
  /** The reports of its last read. */
  reports: readonly Frame[];
}

export function newSegment(target: ContainerTarget, want: number): ContainerSegment {
  return {
    target,
    want,
    tail: undefined,
    passed: [],
    floor: undefined,
    cutAt: undefined,
    reports: [],
  };
}

export async function fill(
  context: ReadContext,
  segment: ContainerSegment,
  options: ContainerTailOptions,
  input: WindowInput,
): Promise<ContainerSegment> {
  const reports: Frame[] = [];
  const reading: ReadContext = { ...context, report: (frame) => reports.push(frame) };
  const tail = await readContainerTail(reading, segment.target, segment.want, options);
  segment.reports = reports;
  segment.tail = tail;
  // Includes the lines shown around matches, which were kept as copies.
  if (hasContext(options.keep)) await input.matches?.prepare?.(tail.records.filter(isKept));
  segment.passed = passedOf(tail.records, options, input);
  segment.floor = tail.whole ? undefined : tail.records[0]?.at;
  segment.cutAt = undefined;
  return segment;
}

function passedOf(
  records: readonly LogRecord[],
  { keep }: ContainerTailOptions,
  { matches, records: tests }: WindowInput,
): readonly LogRecord[] {
  if (tests !== undefined) return passingRecords(records, tests).map(([head]) => head!);
  if (matches === undefined) return records.every(isKept) ? records : records.filter(isKept);
  return records.filter(hasContext(keep) ? (record) => isKept(record) && matches(record) : isKept);
}

/** Returns the containers that may have records among the last `want`, before what is known of them. */
export function uncertain(
  segments: readonly ContainerSegment[],
  passed: readonly LogRecord[],
  want: number,
): readonly ContainerSegment[] {
  const oldest = passed.length >= want ? passed[passed.length - want] : undefined;
  const canHaveMore = new Set(readable(segments));
  return segments.filter((segment) => {
    // Dropped records are needed after all, because other containers lost some of theirs.
    if (
      segment.cutAt !== undefined &&
      (oldest === undefined || compareTimestamps(segment.cutAt, oldest.at) > 0)
    )
      return true;
    if (!canHaveMore.has(segment)) return false;
    if (oldest === undefined || segment.floor === undefined) return true;
    // Needs all records at exactly that time, to count them.
    return compareTimestamps(segment.floor, oldest.at) >= 0;
  });
}

/** Returns the containers that may have earlier records, and are readable. */
export function readable(segments: readonly ContainerSegment[]): readonly ContainerSegment[] {
  return segments.filter(({ tail }) => {
    const outcome = tail?.end.outcome;
    return tail?.whole === false && (outcome === undefined || outcome.kind === 'complete');
  });
}

/** Returns the time after which all containers are known; undefined if nothing is known of one. */
export function newestFloor(segments: readonly ContainerSegment[]): Timestamp | undefined {
  let newest: Timestamp | undefined;
  for (const { floor } of segments) {
    if (floor === undefined) return undefined;
    if (newest === undefined || compareTimestamps(floor, newest) > 0) newest = floor;
  }
  return newest;
}

/** Returns the records at these times that were only counted. */
export function talliedAt(segments: readonly ContainerSegment[], times: readonly Timestamp[]): LogRecord[] {
  return segments.flatMap(({ tail }) => {
    if (tail === undefined || tail.times.length === 0) return [];
    const isAt = ({ at }: LogRecord) => times.some((time) => compareTimestamps(at, time) === 0);
    const known = tail.records.filter(isAt);
    return tail.times
      .flatMap((list) => list.at(times, LEFT_OUT))
      .filter(({ seq, run }) => !known.some((one) => one.seq === seq && one.run === run));
  });
}
