import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { compareRecords } from '../../domain/record.ts';
import type { ContainerSegment } from './container-segment.ts';
import { firstShownIndex, type KeepPlan } from './tail-keeper.ts';

/** Fewer records are not worth the check. */
const MIN_CUT_RECORDS = 2_000;

/**
 * Drops records of the containers while they are read one after the other: records before enough matches of all of them
 * are not among the last ones. So all containers together hold what is shown, and not each a share.
 */
export class SegmentCutter {
  readonly #segments: readonly ContainerSegment[];
  readonly #keep: KeepPlan;
  #held = 0;
  #cutAbove: number;

  constructor(segments: readonly ContainerSegment[], keep: KeepPlan) {
    this.#segments = segments;
    this.#keep = keep;
    this.#cutAbove = MIN_CUT_RECORDS;
  }

  /** Records that a container was read. */
  note(segment: ContainerSegment): void {
    this.#held += segment.tail?.records.length ?? 0;
    if (this.#held <= this.#cutAbove) return;
    this.#cut();
    this.#held = this.#segments.reduce((sum, { tail }) => sum + (tail?.records.length ?? 0), 0);
    this.#cutAbove = Math.max(MIN_CUT_RECORDS, this.#held * 2);
  }

  #cut(): void {
    const { countedAt, maxMatches } = this.#keep;
    const passed = this.#segments.flatMap((segment) => segment.passed).sort(compareRecords);
    const first = firstShownIndex(passed, maxMatches, countedAt);
    const oldest = passed[first];
    if (oldest === undefined || first === 0) return;
    for (const segment of this.#segments) this.#cutSegment(segment, oldest.at);
  }

  /** Removes a container's records before a time, except those that may be context of a match. */
  #cutSegment(segment: ContainerSegment, at: Timestamp): void {
    const { tail, passed } = segment;
    if (tail === undefined) return;
    const { records } = tail;
    const first = records.findIndex((record) => compareTimestamps(record.at, at) >= 0);
    const start = (first === -1 ? records.length : first) - this.#keep.before - this.#keep.after;
    if (start <= 0) return;
    segment.tail = { ...tail, records: records.slice(start) };
    const floor = records[start];
    segment.passed =
      passed === records
        ? segment.tail.records
        : passed.filter((record) => floor !== undefined && compareRecords(record, floor) >= 0);
    segment.cutAt = at;
  }
}
