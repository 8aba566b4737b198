import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { compareRecords } from '../../domain/record.ts';
import { type KeepPlan, placeOfFirst } from './tail-keeper.ts';
import type { Part } from './tail-part.ts';

/** Fewer are not worth the check. */
const MIN_CUT_RECORDS = 2_000;

/**
 * Drops records of the containers while they are read one after the other: records before enough matches of
 * all of them are not among the last ones. So all containers together hold what is shown, and not each a
 * share.
 */
export class PartsCutter {
  readonly #parts: readonly Part[];
  readonly #keep: KeepPlan;
  #held = 0;
  #cutAbove: number;

  constructor(parts: readonly Part[], keep: KeepPlan) {
    this.#parts = parts;
    this.#keep = keep;
    this.#cutAbove = MIN_CUT_RECORDS;
  }

  /** A container was read. */
  note(part: Part): void {
    this.#held += part.tail?.records.length ?? 0;
    if (this.#held <= this.#cutAbove) return;
    this.#cut();
    this.#held = this.#parts.reduce((sum, { tail }) => sum + (tail?.records.length ?? 0), 0);
    this.#cutAbove = Math.max(MIN_CUT_RECORDS, this.#held * 2);
  }

  #cut(): void {
    const { countedAt, mostMatches, before } = this.#keep;
    // Context before the first match may be of a time at which all are counted.
    if (before > 0 && countedAt !== 'nowhere') return;
    const passed = this.#parts.flatMap((part) => part.passed).sort(compareRecords);
    const first = placeOfFirst(passed, mostMatches, countedAt);
    const oldest = passed[first];
    if (oldest === undefined || first === 0) return;
    for (const part of this.#parts) this.#cutPart(part, oldest.at);
  }

  /**
   * Takes from a container the records before a time, except those that may be around a match, or before one.
   */
  #cutPart(part: Part, at: Timestamp): void {
    const { tail, passed } = part;
    if (tail === undefined) return;
    const { records } = tail;
    const first = records.findIndex((record) => compareTimestamps(record.at, at) >= 0);
    const start = (first === -1 ? records.length : first) - this.#keep.before - this.#keep.after;
    if (start <= 0) return;
    part.tail = { ...tail, records: records.slice(start) };
    const floor = records[start];
    part.passed =
      passed === records
        ? part.tail.records
        : passed.filter((record) => floor !== undefined && compareRecords(record, floor) >= 0);
    part.cutAt = at;
  }
}
