import type { Cursor } from '../domain/cursor.ts';
import type { LogRecord } from '../domain/record.ts';
import type { Timestamp } from '../domain/timestamp.ts';

/**
 * Counts, in the total order, how many records stand at exactly the same time in front of each record: what cursors
 * are made of. Only those that have any are kept.
 */
export class Ranks {
  #at: Timestamp | undefined;
  #count = 0;
  readonly #ranks = new WeakMap<LogRecord, number>();

  /** Notes the next record of the total order, before any content filter. */
  note(record: LogRecord): void {
    const { at } = record;
    if (this.#at !== undefined && this.#at.seconds === at.seconds && this.#at.nanos === at.nanos) {
      this.#count++;
      this.#ranks.set(record, this.#count);
    } else {
      this.#at = at;
      this.#count = 0;
    }
  }

  /** The position in front of a record. */
  before(record: LogRecord): Cursor {
    return { at: record.at, shown: this.#ranks.get(record) ?? 0 };
  }

  /** The position behind a record. */
  behind(record: LogRecord): Cursor {
    return { at: record.at, shown: (this.#ranks.get(record) ?? 0) + 1 };
  }
}
