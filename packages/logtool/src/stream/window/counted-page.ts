import type { LogRecord } from '../../domain/record.ts';
import type { OrderedBatches } from './merge.ts';
import type { BatchFilter } from './window-result.ts';

/** Which records of the merged order stand on a page. */
export interface Page {
  /** After it there are records. */
  readonly isOver: boolean;
  /** The count left records out. */
  readonly isCut: boolean;
  /** What is merged in place of the lanes. */
  lanes(opened: readonly OrderedBatches[]): readonly OrderedBatches[];
  /** Must be called, and waited for, before records are taken. */
  prepare(records: readonly LogRecord[]): Promise<void> | undefined;
  /** The next records inside the window, in the total order; returns those that are shown. */
  take(records: readonly LogRecord[]): readonly LogRecord[];
}

/** The first records, this many, that pass a filter. */
export class CountedPage implements Page {
  readonly #count: number;
  readonly #filter: BatchFilter | undefined;
  #shown = 0;
  isOver = false;
  isCut = false;

  constructor(count: number, filter: BatchFilter | undefined) {
    this.#count = count;
    this.#filter = filter;
  }

  lanes(opened: readonly OrderedBatches[]): readonly OrderedBatches[] {
    return opened;
  }

  prepare(records: readonly LogRecord[]): Promise<void> | undefined {
    return this.#filter?.prepare?.(records);
  }

  take(records: readonly LogRecord[]): readonly LogRecord[] {
    const passed = this.#filter === undefined ? records : this.#filter(records);
    const left = this.#count - this.#shown;
    this.#shown += passed.length;
    this.isCut = passed.length > left;
    this.isOver = this.isCut || (passed.length === left && isFurther(records, passed));
    return this.isCut ? passed.slice(0, left) : passed;
  }
}

/** Whether there are records after the last one that passed, although none of them passed. */
function isFurther(inside: readonly LogRecord[], passed: readonly LogRecord[]): boolean {
  return inside.length > 0 && (passed.length === 0 || inside.at(-1) !== passed.at(-1));
}
