import type { Cursor } from '../../domain/cursor.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import type { EnginePlan } from '../plan/engine.ts';
import { CursorCounter } from './bounds.ts';
import { Ranks } from './ranks.ts';

/** The borders of a window that is read forward: what lies inside, and the cursors of the neighboring pages. */
export class WindowBorders {
  readonly #counter: CursorCounter;
  readonly #ranks: Ranks;
  readonly #hasCursors: boolean;
  /** Every record lies inside. */
  readonly #isPlain: boolean;
  #first: LogRecord | undefined;
  #last: LogRecord | undefined;
  /** A record after the window was seen. */
  isPassed = false;

  constructor({ window: { from, to }, cursors }: EnginePlan) {
    this.#counter = new CursorCounter(from, to);
    this.#ranks = new Ranks(from?.kind === 'cursor' ? from.cursor.at : undefined);
    this.#hasCursors = cursors;
    this.#isPlain = from?.kind !== 'cursor' && to === undefined && !cursors;
  }

  /** Returns those of the next records of the total order that lie inside. */
  inside(batch: readonly LogRecord[]): readonly LogRecord[] {
    if (this.#isPlain) return batch;
    const kept: LogRecord[] = [];
    for (const record of batch) {
      if (this.#hasCursors) this.#ranks.note(record);
      const side = this.#counter.sideOf(record);
      if (side === 'inside') kept.push(record);
      if (side === 'after') {
        this.isPassed = true;
        break;
      }
    }
    return kept;
  }

  /** Records that these are shown. */
  note(shown: readonly LogRecord[]): void {
    if (!this.#hasCursors) return;
    for (const record of shown) {
      if (this.#first === undefined || compareRecords(record, this.#first) < 0) this.#first = record;
      if (this.#last === undefined || compareRecords(record, this.#last) > 0) this.#last = record;
    }
  }

  /** The position of the first shown record. */
  get start(): Cursor | undefined {
    return this.#first && this.#ranks.before(this.#first);
  }

  /** The position after the last shown record. */
  get end(): Cursor | undefined {
    return this.#last && this.#ranks.later(this.#last);
  }
}
