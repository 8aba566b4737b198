import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { BatchFilter } from '../match/batch-filter.ts';
import type { OrderedBatches } from '../spill/spill.ts';

/** Chooses the records of the merged order that are on a page. */
export interface Page {
  /** Records exist after it. */
  readonly isOver: boolean;
  /** The count left records out. */
  readonly isCut: boolean;
  /** Returns the lanes to merge in place of the opened ones. */
  lanes(opened: readonly OrderedBatches[]): readonly OrderedBatches[];
  /** Must be called, and awaited, before records are taken. */
  prepare(records: readonly LogRecord[]): Promise<void> | undefined;
  /** Takes the next records inside the window, in the total order; returns those that are shown. */
  take(records: readonly LogRecord[]): readonly LogRecord[];
}

/** The first records, this many, that pass a filter. */
export class CountedPage implements Page {
  readonly #count: number;
  readonly #filter: BatchFilter | undefined;
  readonly #isWhole: boolean;
  #shown = 0;
  #last: LogRecord | undefined;
  isOver = false;
  isCut = false;

  /**
   * `isWhole`: the page has all records with the time of the last one, so that the time alone determines where it ends.
   */
  constructor(count: number, filter: BatchFilter | undefined, isWhole = false) {
    this.#count = count;
    this.#filter = filter;
    this.#isWhole = isWhole;
  }

  lanes(opened: readonly OrderedBatches[]): readonly OrderedBatches[] {
    return opened;
  }

  prepare(records: readonly LogRecord[]): Promise<void> | undefined {
    return this.#filter?.prepare?.(records);
  }

  take(records: readonly LogRecord[]): readonly LogRecord[] {
    const passed = this.#filter === undefined ? records : this.#filter(records);
    const left = this.#isWhole ? this.#untilNextTime(passed) : this.#count - this.#shown;
    this.#last = passed[Math.min(left, passed.length) - 1] ?? this.#last;
    this.#shown += passed.length;
    this.isCut = passed.length > left;
    this.isOver = this.isCut || (!this.#isWhole && passed.length === left && isFurther(records, passed));
    return this.isCut ? passed.slice(0, left) : passed;
  }

  /** Counts the records that belong on the page: beyond the count, those with the time of the last one. */
  #untilNextTime(passed: readonly LogRecord[]): number {
    const left = Math.max(0, this.#count - this.#shown);
    if (passed.length <= left) return passed.length;
    const last = left === 0 ? this.#last : passed[left - 1];
    const next = passed.findIndex(
      ({ at }, index) => index >= left && (last === undefined || compareTimestamps(at, last.at) !== 0),
    );
    return next === -1 ? passed.length : next;
  }
}

/** Whether records exist after the last one that passed, although none of them passed. */
function isFurther(inside: readonly LogRecord[], passed: readonly LogRecord[]): boolean {
  return inside.length > 0 && (passed.length === 0 || inside.at(-1) !== passed.at(-1));
}
