import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';

/** The first hits of a range in the total order, or the last ones, from containers that deliver in their own order. */
export class HitList {
  readonly #wanted: number;
  readonly isNewest: boolean;
  /** Hits not output yet, in the requested order. */
  #held: LogRecord[] = [];
  #given = 0;

  constructor({ order, count }: { readonly order: 'oldest' | 'newest'; readonly count: number }) {
    this.#wanted = count;
    this.isNewest = order === 'newest';
  }

  /** All wanted hits were output. */
  get isFull(): boolean {
    return this.#given >= this.#wanted;
  }

  add(records: readonly LogRecord[]): void {
    const room = this.#wanted - this.#given;
    if (records.length === 0 || room === 0) return;
    for (const record of records) {
      const last = this.#held.length >= room ? this.#held.at(-1) : undefined;
      if (last !== undefined && this.#compare(record, last) > 0) continue;
      // The bytes of a batch are reused, and a hit may be small in a large chunk.
      this.#insert({ ...record, message: record.message.slice() });
      if (this.#held.length > room) this.#held.pop();
    }
  }

  /**
   * Takes the hits that no other can precede, read or not: all containers were read completely up to `frontier`
   * (undefined: to the end of the range).
   */
  take(frontier: Timestamp | undefined): readonly LogRecord[] {
    // A log is read from its beginning: the newest hits are known when everything was read.
    if (this.isNewest && frontier !== undefined) return [];
    const later = (record: LogRecord) =>
      frontier !== undefined && compareTimestamps(record.at, frontier) >= 0;
    const index = this.#held.findIndex(later);
    const taken = this.#held.splice(0, index === -1 ? this.#held.length : index);
    this.#given += taken.length;
    return taken;
  }

  #compare(a: LogRecord, b: LogRecord): number {
    return this.isNewest ? compareRecords(b, a) : compareRecords(a, b);
  }

  #insert(record: LogRecord): void {
    let [low, high] = [0, this.#held.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(this.#held[middle]!, record) <= 0) low = middle + 1;
      else high = middle;
    }
    this.#held.splice(low, 0, record);
  }
}
