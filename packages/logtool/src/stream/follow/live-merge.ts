import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import { compareRecords, type LogRecord, messageBytes } from '../../domain/record.ts';
import { type LiveContainer, LiveContainers } from './live-containers.ts';

/** Maximum wait of a live record for an earlier one of another container. */
export const REORDER_MS = 100;
/** Records that may wait for the consumer before readers pause. */
const HIGH_WATER_RECORDS = 8_192;
/** The same limit for long records, in bytes of their messages. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;
/**
 * The maximum size of one batch, in records and in bytes of their messages: a consumer that renders them as text holds
 * all of that.
 */
const FRAME_RECORDS = 1_024;
const FRAME_BYTES = 256 * 1024;
/** Bytes that may wait for the window to pass: more than logs deliver in it, less than a node can send. */
const MAX_HELD_BYTES = 4 * 1024 * 1024;

interface Held {
  readonly record: LogRecord;
  readonly source: LiveContainer;
  /** Time of the record, in ms since the epoch. */
  readonly stampMs: number;
  /** By the steady clock, like the next one. */
  readonly settledMs: number;
  readonly dueMs: number;
}

/** The interface between the reader of one container and a merge. */
export interface LiveInput {
  /** Takes records of the container in file order; resolves when the consumer can take more. */
  push(records: readonly LogRecord[]): Promise<void>;
  /** Records that its connection is open. */
  connected(): void;
  /** Records that its connection ended. */
  away(): void;
  /** Updates the container. */
  see(target: ContainerTarget): void;
  /** Ends its records. */
  leave(): void;
}

/**
 * Sorts live records of many readers by time. A record waits until no other container can deliver an earlier one
 * (LiveSources), at most for REORDER_MS; it passes immediately if there is nothing to merge. A record that arrives
 * after a later one has passed also passes immediately, marked late. Other frames keep their position among the output.
 */
export class LiveMerge {
  readonly #clock: Clock;
  readonly #sources: LiveContainers;
  readonly #waits: boolean;
  #held: Held[] = [];
  #heldBytes = 0;
  #later: { readonly frame: Frame; readonly dueMs: number }[] = [];
  #out: Frame[] = [];
  #outRecords = 0;
  #outBytes = 0;
  #last: LogRecord | undefined;
  #timer: { readonly dueMs: number; readonly cancel: () => void } | undefined;
  #wake: (() => void) | undefined;
  #drained: (() => void)[] = [];
  #closed = false;
  #failure: { readonly error: unknown } | undefined;

  /** `last` is the last record before the live part. `waits`: every record waits for the whole window. */
  constructor(clock: Clock, last?: LogRecord, options: { readonly waits?: boolean } = {}) {
    this.#clock = clock;
    this.#sources = new LiveContainers(clock);
    this.#last = last;
    this.#waits = options.waits === true;
  }

  /** Adds a container whose records are merged with those of the others from now on. */
  join(target: ContainerTarget): LiveInput {
    const source = this.#sources.join(target);
    return {
      push: (records) => this.#push(source, records),
      connected: () => source.connected(),
      away: () => source.away(),
      see: (next) => this.#sources.shareNode(source, next),
      leave: () => {
        this.#sources.leave(source);
        this.#schedule();
      },
    };
  }

  async #push(source: LiveContainer, records: readonly LogRecord[]): Promise<void> {
    const now = this.#clock.steady();
    const dueMs = now + REORDER_MS;
    const late: LogRecord[] = [];
    const entries: Omit<Held, 'settledMs'>[] = [];
    for (const record of records) {
      const stampMs = record.at.seconds * 1000 + record.at.nanos / 1e6;
      source.note(stampMs);
      if (this.#last !== undefined && compareRecords(record, this.#last) < 0)
        late.push({ ...record, late: true });
      else entries.push({ record, source, stampMs, dueMs });
    }
    const settledMs = this.#waits ? dueMs : Math.min(dueMs, now + source.settleMs);
    for (const entry of entries) this.#insert({ ...entry, settledMs });
    if (late.length > 0) this.#hand(late.sort(compareRecords));
    this.#schedule();
    while (this.#isFull() && !this.#closed) {
      await new Promise<void>((resolve) => this.#drained.push(resolve));
    }
  }

  /** Takes a frame without records. It follows the records that arrived before it. */
  frame(frame: Frame): void {
    if (this.#held.length === 0) {
      this.#out.push(frame);
      this.#wake?.();
      return;
    }
    this.#later.push({ frame, dueMs: this.#clock.steady() + REORDER_MS });
    this.#schedule();
  }

  /** Ends the merge: outputs what is held. */
  close(failure?: { readonly error: unknown }): void {
    this.#timer?.cancel();
    this.#hand(this.#held.map(({ record }) => record));
    this.#held = [];
    this.#heldBytes = 0;
    this.#out.push(...this.#later.splice(0).map(({ frame }) => frame));
    this.#closed = true;
    this.#failure = failure;
    this.#wake?.();
    this.#drain();
  }

  /** Yields the output until the end. */
  async *frames(): AsyncGenerator<Frame, void, undefined> {
    for (;;) {
      for (let frame = this.#takeOut(); frame !== undefined; frame = this.#takeOut()) {
        yield frame;
        if (!this.#isFull()) this.#drain();
      }
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  /** Takes the next output frame. */
  #takeOut(): Frame | undefined {
    const frame = this.#out.shift();
    if (frame?.type !== 'records') return frame;
    this.#outRecords -= frame.records.length;
    this.#outBytes -= messageBytes(frame.records);
    return frame;
  }

  /** Lets paused readers resume. */
  #drain(): void {
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  #isFull(): boolean {
    if (this.#heldBytes > MAX_HELD_BYTES) return true;
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

  /** Sets the timer for the next possible output, unless it is set for then or earlier. */
  #schedule(): void {
    if (this.#closed) return;
    const [first] = this.#held;
    let dueMs = this.#timer?.dueMs ?? Number.POSITIVE_INFINITY;
    // No other record is due much earlier: those after it wait for at least as long.
    if (first !== undefined)
      dueMs = Math.min(dueMs, Math.max(first.settledMs, this.#sources.clearMs(first.source, first.stampMs)));
    if (this.#timer === undefined) {
      for (const entry of this.#held) dueMs = Math.min(dueMs, entry.dueMs);
      dueMs = Math.min(dueMs, this.#later[0]?.dueMs ?? dueMs);
    } else if (dueMs < this.#timer.dueMs) this.#timer.cancel();
    else return;
    if (dueMs === Number.POSITIVE_INFINITY) return;
    const cancel = this.#clock.after(Math.max(0, Math.ceil(dueMs - this.#clock.steady())), () => {
      this.#timer = undefined;
      this.#release();
      this.#schedule();
    });
    this.#timer = { dueMs, cancel };
  }

  #release(): void {
    const now = this.#clock.steady();
    const clearedTo = this.#sources.clearedTo();
    const isReady = ({ dueMs, settledMs, source, stampMs }: Held) =>
      dueMs <= now || (settledMs <= now && stampMs <= clearedTo(source));
    const due = this.#held.splice(0, this.#held.findLastIndex(isReady) + 1).map(({ record }) => record);
    for (const { message } of due) this.#heldBytes -= message.length;
    this.#hand(due);
    const isFree = this.#held.length === 0;
    const end = isFree ? -1 : this.#later.findIndex(({ dueMs }) => dueMs > now);
    const frames = this.#later.splice(0, end === -1 ? this.#later.length : end);
    if (frames.length === 0) return;
    this.#out.push(...frames.map(({ frame }) => frame));
    this.#wake?.();
  }

  #hand(records: readonly LogRecord[]): void {
    const last = records.at(-1);
    if (last === undefined) return;
    if (this.#last === undefined || compareRecords(last, this.#last) > 0) this.#last = last;
    this.#outRecords += records.length;
    this.#outBytes += messageBytes(records);
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
