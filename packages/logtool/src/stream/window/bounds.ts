import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Bound } from '../../domain/window.ts';

/** The time of a bound, whatever its kind. */
export function boundTime(bound: Bound): Timestamp {
  return bound.kind === 'cursor' ? bound.cursor.at : bound.at;
}

/** Whether a record lies before a window's beginning only by its time (a cursor's count comes on top). */
export function isBeforeFrom(at: Timestamp, from: Bound | undefined): boolean {
  if (from === undefined) return false;
  const order = compareTimestamps(at, boundTime(from));
  return from.kind === 'strict' ? order <= 0 : order < 0;
}

/**
 * Whether a record lies after a window's end only by its time (of a cursor's time, some may lie before it).
 */
export function isAfterTo(at: Timestamp, to: Bound | undefined): boolean {
  if (to === undefined) return false;
  const order = compareTimestamps(at, boundTime(to));
  if (to.kind === 'strict' || (to.kind === 'cursor' && to.cursor.shown === 0)) return order >= 0;
  return order > 0;
}

/**
 * Applies the counts of cursors to records in the total order that passed the two checks above: leaves out the first
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
 * If the API must begin: one second early, because the end of a long line that began before it is no line.
 */
export function sinceFor(from: Bound | undefined): Timestamp | undefined {
  return from === undefined ? undefined : { seconds: boundTime(from).seconds - 1, nanos: 0 };
}
