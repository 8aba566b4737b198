import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Cursor } from '../../domain/cursor.ts';
import type { LogRecord } from '../../domain/record.ts';

/**
 * Counts, in the total order, how many records at exactly the same time precede each record: the basis of cursors.
 * Stores only counts above zero.
 */
export class Ranks {
  #at: Timestamp | undefined;
  #count = 0;
  readonly #ranks = new WeakMap<LogRecord, number>();
  readonly #start: Timestamp | undefined;
  #countAtStart = 0;

  /** `start`: the time of a cursor from which to read. If a clock was set back, it occurs again later. */
  constructor(start?: Timestamp) {
    this.#start = start;
  }

  /** Counts the next record of the total order, before any content filter. */
  note(record: LogRecord): void {
    const { at } = record;
    if (this.#start !== undefined && compareTimestamps(at, this.#start) === 0) {
      if (this.#countAtStart > 0) this.#ranks.set(record, this.#countAtStart);
      this.#countAtStart++;
      return;
    }
    if (this.#at !== undefined && this.#at.seconds === at.seconds && this.#at.nanos === at.nanos) {
      this.#count++;
      this.#ranks.set(record, this.#count);
    } else {
      this.#at = at;
      this.#count = 0;
    }
  }

  /** Returns the position before a record. */
  before(record: LogRecord): Cursor {
    return { at: record.at, shown: this.#ranks.get(record) ?? 0 };
  }

  /** Returns the position after a record. */
  later(record: LogRecord): Cursor {
    return { at: record.at, shown: (this.#ranks.get(record) ?? 0) + 1 };
  }
}
