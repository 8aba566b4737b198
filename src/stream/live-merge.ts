import type { Clock } from '../domain/clock.ts';
import type { Frame } from '../domain/frame.ts';
import { compareRecords, type LogRecord } from '../domain/record.ts';

/** How long a live record waits for one of another container that belongs before it. */
export const REORDER_MS = 100;
/** Records that may wait for the consumer before readers are held back. */
const HIGH_WATER_RECORDS = 8_192;
/** The same of long ones, in bytes of their messages. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;
/** What is handed out at once, and in bytes of its messages: whoever puts it into text holds all of that. */
const FRAME_RECORDS = 1_024;
const FRAME_BYTES = 256 * 1024;
/** Bytes that may wait for the window to pass: more than logs bring in it, less than a node can send. */
const MOST_HELD_BYTES = 4 * 1024 * 1024;

interface Held {
  readonly record: LogRecord;
  readonly dueMs: number;
}

/**
 * Brings live records of many readers into time order inside a short window. A record that comes after a later one
 * was handed out is handed out at once, marked late. Other frames keep their place among what is handed out.
 */
export class LiveMerge {
  readonly #clock: Clock;
  #held: Held[] = [];
  #heldBytes = 0;
  #behind: { readonly frame: Frame; readonly dueMs: number }[] = [];
  #out: Frame[] = [];
  #outRecords = 0;
  #outBytes = 0;
  #last: LogRecord | undefined;
  #cancelTimer: (() => void) | undefined;
  #wake: (() => void) | undefined;
  #drained: (() => void)[] = [];
  #closed = false;
  #failure: { readonly error: unknown } | undefined;

  /** `last` is the last record that was handed out before the live part. */
  constructor(clock: Clock, last?: LogRecord) {
    this.#clock = clock;
    this.#last = last;
  }

  /** Takes records of one container; resolves when the consumer can take more. */
  async push(records: readonly LogRecord[]): Promise<void> {
    const dueMs = this.#clock.steady() + REORDER_MS;
    const late: LogRecord[] = [];
    for (const record of records) {
      if (this.#last !== undefined && compareRecords(record, this.#last) < 0)
        late.push({ ...record, late: true });
      else this.#insert({ record, dueMs });
    }
    if (late.length > 0) this.#hand(late.sort(compareRecords));
    this.#schedule();
    while (this.#isFull() && !this.#closed) {
      await new Promise<void>((resolve) => this.#drained.push(resolve));
    }
  }

  /** Takes a frame that is no record. It is handed out behind the records that came before it. */
  frame(frame: Frame): void {
    if (this.#held.length === 0) {
      this.#out.push(frame);
      this.#wake?.();
      return;
    }
    this.#behind.push({ frame, dueMs: this.#clock.steady() + REORDER_MS });
    this.#schedule();
  }

  /** There will be no more: what is held is handed out. */
  close(failure?: { readonly error: unknown }): void {
    this.#cancelTimer?.();
    this.#hand(this.#held.map(({ record }) => record));
    this.#held = [];
    this.#heldBytes = 0;
    this.#out.push(...this.#behind.splice(0).map(({ frame }) => frame));
    this.#closed = true;
    this.#failure = failure;
    this.#wake?.();
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  /** What is handed out, until the end. */
  async *frames(): AsyncGenerator<Frame, void, undefined> {
    for (;;) {
      while (this.#out.length > 0) {
        const frame = this.#out.shift()!;
        if (frame.type === 'records') {
          this.#outRecords -= frame.records.length;
          this.#outBytes -= bytesOf(frame.records);
        }
        yield frame;
        if (!this.#isFull()) for (const resolve of this.#drained.splice(0)) resolve();
      }
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  #isFull(): boolean {
    if (this.#heldBytes > MOST_HELD_BYTES) return true;
    return this.#outRecords > HIGH_WATER_RECORDS || this.#outBytes > HIGH_WATER_BYTES;
  }

  #insert(entry: Held): void {
    const held = this.#held;
    let low = 0;
    let high = held.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareRecords(held[middle]!.record, entry.record) <= 0) low = middle + 1;
      else high = middle;
    }
    held.splice(low, 0, entry);
    this.#heldBytes += entry.record.message.length;
  }

  #schedule(): void {
    if (this.#cancelTimer !== undefined || this.#closed) return;
    if (this.#held.length === 0 && this.#behind.length === 0) return;
    let dueMs = this.#behind[0]?.dueMs ?? Number.POSITIVE_INFINITY;
    for (const entry of this.#held) dueMs = Math.min(dueMs, entry.dueMs);
    this.#cancelTimer = this.#clock.after(Math.max(0, dueMs - this.#clock.steady()), () => {
      this.#cancelTimer = undefined;
      this.#release();
      this.#schedule();
    });
  }

  #release(): void {
    const now = this.#clock.steady();
    const count = this.#held.findLastIndex(({ dueMs }) => dueMs <= now) + 1;
    const due = this.#held.splice(0, count).map(({ record }) => record);
    for (const { message } of due) this.#heldBytes -= message.length;
    this.#hand(due);
    const end = this.#behind.findIndex(({ dueMs }) => dueMs > now);
    const frames = this.#behind.splice(0, end === -1 ? this.#behind.length : end);
    if (frames.length === 0) return;
    this.#out.push(...frames.map(({ frame }) => frame));
    this.#wake?.();
  }

  #hand(records: readonly LogRecord[]): void {
    const last = records.at(-1);
    if (last === undefined) return;
    if (this.#last === undefined || compareRecords(last, this.#last) > 0) this.#last = last;
    this.#outRecords += records.length;
    this.#outBytes += bytesOf(records);
    for (let from = 0; from < records.length; ) {
      const end = Math.min(records.length, from + FRAME_RECORDS);
      let [to, bytes] = [from, 0];
      while (to < end && bytes < FRAME_BYTES) bytes += records[to++]!.message.length;
      this.#out.push({ type: 'records', records: records.slice(from, to) });
      from = to;
    }
    this.#wake?.();
  }
}

function bytesOf(records: readonly LogRecord[]): number {
  let bytes = 0;
  for (const { message } of records) bytes += message.length;
  return bytes;
}
