import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import { type Bound, isBeforeFrom } from '../../domain/window.ts';
import { isEnd, type LogEnd } from '../run/log-end.ts';

/** A follow that delivers nothing for this long does not bring the awaited line: it may wait for its rest, ms. */
const SILENCE_MS = 5_000;

/** Notices when the follow of a container has delivered the line that its log ended with at a request. */
export class Delivery {
  readonly #clock: Clock;
  readonly #from: Bound | undefined;
  #isClosed = false;
  #last: LogRecord | undefined;
  #pushes = 0;
  #awaited: { readonly end: LogEnd; readonly done: () => void } | undefined;
  #cancel: (() => void) | undefined;

  /** `from`: where the follow begins. */
  constructor(clock: Clock, from: Bound | undefined) {
    this.#clock = clock;
    this.#from = from;
  }

  /** Notes that records were handed on, in file order. */
  pushed(records: readonly LogRecord[]): void {
    this.#pushes++;
    this.#last = records.at(-1) ?? this.#last;
    const { end } = this.#awaited ?? {};
    if (end !== undefined && records.some((record) => reaches(record, end))) this.#settle();
  }

  /**
   * Calls `done` once: when the follow has delivered the last line of the log, has ended, or falls silent for
   * SILENCE_MS. `end`: undefined for an empty log.
   */
  reached(end: LogEnd | undefined, done: () => void): void {
    if (end === undefined || !this.#isOutstanding(end)) {
      done();
      return;
    }
    this.#awaited = { end, done };
    this.#awaitSilence();
  }

  #isOutstanding(end: LogEnd): boolean {
    if (this.#isClosed || this.#excludes(end)) return false;
    return this.#last === undefined || !reaches(this.#last, end);
  }

  /** The follow has ended. */
  close(): void {
    this.#isClosed = true;
    this.#settle();
  }

  /** Whether the follow does not deliver that line, because it begins later. */
  #excludes({ last }: LogEnd): boolean {
    return this.#from !== undefined && isBeforeFrom(last.at, this.#from);
  }

  #settle(): void {
    this.#cancel?.();
    const awaited = this.#awaited;
    this.#awaited = undefined;
    awaited?.done();
  }

  #awaitSilence(): void {
    const before = this.#pushes;
    this.#cancel = this.#clock.after(SILENCE_MS, () => {
      if (this.#pushes === before) this.#settle();
      else this.#awaitSilence();
    });
  }
}

/** Whether a record is the end of a log, or was written after it. */
function reaches(record: LogRecord, end: LogEnd): boolean {
  return compareTimestamps(record.at, end.last.at) >= 0 || isEnd(record, end);
}
