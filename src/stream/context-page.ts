import type { Frame } from '../domain/frame.ts';
import { compareRecords, type LogRecord } from '../domain/record.ts';
import { detach } from './line-parser.ts';
import type { Ranks } from './ranks.ts';

const BATCH_RECORDS = 256;

/**
 * The first records of a window, of matches and the lines around them, in the total order. A filter gives the lines in
 * front of a match out with it. Of two pages, one would begin in front of what the other has shown.
 */
export class ContextPage {
  readonly #count: number;
  #records: LogRecord[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  get first(): LogRecord | undefined {
    return this.#records[0];
  }

  get last(): LogRecord | undefined {
    return this.#records.at(-1);
  }

  /** What a filter gave, up to a place behind which no match was looked for. */
  take(passed: readonly LogRecord[], ranks: Ranks): void {
    for (const record of passed) {
      // What waits keeps alive the chunk that it is a view of.
      const held = detach(record);
      ranks.pass(record, held);
      this.#records.push(held);
    }
    if (this.#records.length > this.#count)
      this.#records = this.#records.sort(compareRecords).slice(0, this.#count);
  }

  /** The page, when no more is taken. */
  *frames(): Generator<Frame, void, undefined> {
    this.#records.sort(compareRecords);
    for (let index = 0; index < this.#records.length; index += BATCH_RECORDS)
      yield { type: 'records', records: this.#records.slice(index, index + BATCH_RECORDS) };
  }
}
