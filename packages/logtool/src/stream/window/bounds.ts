import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import { type Bound, boundTime, isAfterTo } from '../../domain/window.ts';

/**
 * Applies the counts of cursors to records in the total order that passed the two time checks: leaves out the first
 * `shown` at exactly the time of `from`, keeps only the first `shown` at exactly that of `to`.
 */
export class CursorCounter {
  #skip: number;
  #keep: number;
  readonly #from: Bound | undefined;
  readonly #to: Bound | undefined;

  constructor(from: Bound | undefined, to: Bound | undefined) {
    this.#from = from;
    this.#to = to;
    this.#skip = from?.kind === 'cursor' ? from.cursor.shown : 0;
    this.#keep = to?.kind === 'cursor' ? to.cursor.shown : 0;
  }

  sideOf(record: LogRecord): 'before' | 'inside' | 'after' {
    const { at } = record;
    if (isAfterTo(at, this.#to)) return 'after';
    // The count of `to` covers all records at its time, including those before `from`.
    if (this.#to?.kind === 'cursor' && compareTimestamps(at, this.#to.cursor.at) === 0) {
      if (this.#keep === 0) return 'after';
      this.#keep--;
    }
    if (
      this.#skip > 0 &&
      this.#from?.kind === 'cursor' &&
      compareTimestamps(at, this.#from.cursor.at) === 0
    ) {
      this.#skip--;
      return 'before';
    }
    return 'inside';
  }
}

/**
 * Returns where the API must begin: one second early, because the end of a long line that began before it is not a
 * line.
 */
export function sinceFor(from: Bound | undefined): Timestamp | undefined {
  return from === undefined ? undefined : { seconds: boundTime(from).seconds - 1, nanos: 0 };
}
