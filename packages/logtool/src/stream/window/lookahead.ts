import { compareRecords, type LogRecord } from '../../domain/record.ts';

/** A line may come this many lines after its correct position: two pipes of one process are written separately. */
export const LOOKAHEAD_RECORDS = 64;
const LOOKAHEAD_BYTES = 4 * 1024 * 1024;

/** Sorts a nearly sorted sequence: holds the last records until no earlier one can arrive. */
export class Lookahead {
  #held: LogRecord[] = [];
  #bytes = 0;

  /** Takes records in file order; returns those with a certain position, in the total order. */
  push(records: readonly LogRecord[]): LogRecord[] {
    const held = this.#held;
    let last = held.at(-1);
    for (const record of records) {
      this.#bytes += record.message.length;
      if (last === undefined || compareRecords(last, record) <= 0) {
        held.push(record);
        last = record;
      } else this.#insert(record);
    }
    let keep = Math.min(held.length, LOOKAHEAD_RECORDS);
    if (this.#bytes > LOOKAHEAD_BYTES) keep = Math.min(keep, this.#keepWithin(LOOKAHEAD_BYTES));
    const ready = held.length - keep;
    if (ready === 0) return [];
    const released = held.splice(0, ready);
    for (const record of released) this.#bytes -= record.message.length;
    return released;
  }

  /** Inserts a record before the last one. */
  #insert(record: LogRecord): void {
    const held = this.#held;
    let index = held.length - 1;
    while (index > 0 && compareRecords(held[index - 1]!, record) > 0) index--;
    held.splice(index, 0, record);
  }

  /** Ends the sequence: returns the rest, in the total order. */
  flush(): LogRecord[] {
    const rest = this.#held;
    this.#held = [];
    this.#bytes = 0;
    return rest;
  }

  #keepWithin(limitBytes: number): number {
    let bytes = 0;
    let keep = 0;
    for (let index = this.#held.length - 1; index >= 0; index--) {
      bytes += this.#held[index]!.message.length;
      if (bytes > limitBytes) break;
      keep++;
    }
    return Math.max(1, keep);
  }
}
