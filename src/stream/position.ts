import type { LogRecord } from '../domain/record.ts';
import { compareTimestamps, type Timestamp } from '../domain/timestamp.ts';

/** Two pipes of one process are stamped apart: a line may lie this far before the line above it in the file. */
const DISORDER_NANOS = 200_000_000;
/** More than the clocks of a node and of this machine differ. */
const SKEW_SECONDS = 60;

/**
 * Where one walk through a container's log stands, kept so that it can be taken up again exactly. The log API starts
 * at whole seconds only (test/recorded/pods-log/since-time-nanoseconds.json), so the lines of the last second come
 * again, and are dropped by comparing them, as a multiset of (timestamp, bytes), with those delivered. The multiset is
 * kept as one hash a line: the file's order is fixed, so two lines that share a hash may be taken for each other.
 */
export class Position {
  #second = Number.NEGATIVE_INFINITY;
  #current = new HashList();
  #before = new HashList();
  #last: Timestamp | undefined;
  #max: Timestamp | undefined;
  #pending: { readonly current: Map<number, number>; readonly before: Map<number, number> } | undefined;
  #resumedSecond = 0;
  #aligned = true;
  #runHasLines = false;
  #held: LogRecord[] = [];
  /** The lines behind a step back of the node's clock, while they are older than the greatest time. */
  #behind: Position | undefined;

  /** Greatest timestamp delivered so far. */
  get max(): Timestamp | undefined {
    return this.#max;
  }

  /** Whether anything of the present run was delivered. */
  get hasLines(): boolean {
    return this.#runHasLines;
  }

  /** Timestamp of the last line in file order. */
  get last(): Timestamp | undefined {
    return this.#last;
  }

  /** The sinceTime that brings back everything not yet delivered; undefined when nothing was delivered. */
  get since(): Timestamp | undefined {
    if (this.#max === undefined) return undefined;
    const back = this.#max.nanos < DISORDER_NANOS ? 1 : 0;
    const seconds = this.#max.seconds - back;
    return { seconds: Math.min(seconds, this.#behind?.since?.seconds ?? seconds), nanos: 0 };
  }

  /**
   * `since` for a read that goes on. Lines stamped in the future would make the server withhold all that is written
   * from now on (test/recorded/pods-log/follow-since-future.json), so it lies never behind the present.
   */
  sinceAt(nowMs: number): Timestamp | undefined {
    const { since } = this;
    const now = Math.floor(nowMs / 1000);
    return since === undefined || since.seconds <= now
      ? since
      : { seconds: Math.min(since.seconds, now - SKEW_SECONDS), nanos: 0 };
  }

  /** The next records come from a request with `since`: what was delivered is dropped once more. */
  beginResume(): void {
    this.#held = [];
    if (this.#max === undefined) return;
    this.#behind?.beginResume();
    this.#resumedSecond = this.#second;
    this.#pending = { current: this.#current.counts(), before: this.#before.counts() };
    this.#aligned = !this.#runHasLines;
  }

  /** A copy that goes its own way: to go back to when an answer turns out to be that of another run. */
  fork(): Position {
    const copy = new Position();
    copy.restore(this);
    return copy;
  }

  /** Goes back to a fork. */
  restore(other: Position): void {
    this.#second = other.#second;
    this.#current = other.#current.copy();
    this.#before = other.#before.copy();
    this.#last = other.#last;
    this.#max = other.#max;
    this.#runHasLines = other.#runHasLines;
    this.#behind = other.#behind?.fork();
    this.#pending = undefined;
    this.#aligned = true;
    this.#held = [];
  }

  /**
   * Whether the present answer has shown a line that was delivered before, so that nothing can lie between. True also
   * when there was nothing to take up.
   */
  get aligned(): boolean {
    return this.#aligned;
  }

  /**
   * Takes the records of an answer in file order and returns those that are new. Lines in front of the first known
   * one are older (the end of a long line that began before `since`, or lines before the start of the walk).
   * `onGap` is called when the answer begins behind the last line delivered: lines may be missing.
   */
  admit(
    records: readonly LogRecord[],
    onGap?: (from: Timestamp, to: Timestamp) => void,
  ): readonly LogRecord[] {
    if (this.#pending === undefined) {
      for (const record of records) this.#note(record);
      return records;
    }
    const fresh: LogRecord[] = [];
    for (const record of records) {
      if (this.#wasDelivered(record)) {
        this.#held = [];
        this.#aligned = true;
        continue;
      }
      if (!this.#aligned) {
        if (this.#max !== undefined && compareTimestamps(record.at, this.#max) <= 0) {
          this.#held.push(record);
          continue;
        }
        this.#startAfterGap(record, fresh, onGap);
      }
      this.#note(record);
      fresh.push(record);
    }
    return fresh;
  }

  /** A new run of the same container begins: its first line has no known line in front of it. */
  beginRun(): void {
    this.#aligned = true;
    this.#runHasLines = false;
  }

  #startAfterGap(
    record: LogRecord,
    fresh: LogRecord[],
    onGap: ((from: Timestamp, to: Timestamp) => void) | undefined,
  ): void {
    this.#aligned = true;
    const from = this.#max;
    const first = this.#held[0] ?? record;
    if (from !== undefined) onGap?.(from, compareTimestamps(first.at, from) > 0 ? first.at : record.at);
    for (const held of this.#held) {
      this.#note(held);
      fresh.push(held);
    }
    this.#held = [];
  }

  #wasDelivered(record: LogRecord): boolean {
    const pending = this.#pending;
    if (pending === undefined) return false;
    const isBehind = this.#behind === undefined ? false : this.#behind.#wasDelivered(record);
    if (isBehind) return true;
    const back = this.#resumedSecond - record.at.seconds;
    if (back < 0 || back > 1) return false;
    const counts = back === 0 ? pending.current : pending.before;
    const hash = hashRecord(record);
    const count = counts.get(hash);
    if (count === undefined) return false;
    if (count === 1) counts.delete(hash);
    else counts.set(hash, count - 1);
    return true;
  }

  #note(record: LogRecord): void {
    const { at } = record;
    this.#last = at;
    this.#runHasLines = true;
    if (this.#max === undefined || compareTimestamps(at, this.#max) > 0) {
      this.#max = at;
      this.#behind = undefined;
    }
    if (at.seconds > this.#second) {
      const spare = this.#before;
      this.#before = at.seconds === this.#second + 1 ? this.#current : new HashList();
      this.#current = spare;
      spare.clear();
      this.#second = at.seconds;
    }
    if (at.seconds === this.#second) this.#current.push(hashRecord(record));
    else if (at.seconds === this.#second - 1) this.#before.push(hashRecord(record));
    else {
      this.#behind ??= new Position();
      this.#behind.#note(record);
    }
  }
}

/** Hash of nanoseconds, length, and up to 32 bytes of the message (its start and its end). */
export function hashRecord(record: LogRecord): number {
  const { message } = record;
  const { length } = message;
  let hash = Math.imul(record.at.nanos ^ 0x811c9dc5, 0x01000193) ^ length;
  const head = Math.min(length, 16);
  for (let index = 0; index < head; index++) hash = Math.imul(hash ^ message[index]!, 0x01000193);
  for (let index = Math.max(head, length - 16); index < length; index++) {
    hash = Math.imul(hash ^ message[index]!, 0x01000193);
  }
  return hash;
}

/** A growing list of 32-bit hashes: four bytes a line. */
class HashList {
  #hashes = new Int32Array(64);
  #length = 0;

  push(hash: number): void {
    if (this.#length === this.#hashes.length) {
      const larger = new Int32Array(this.#length * 2);
      larger.set(this.#hashes);
      this.#hashes = larger;
    }
    this.#hashes[this.#length++] = hash;
  }

  clear(): void {
    this.#length = 0;
  }

  copy(): HashList {
    const copy = new HashList();
    copy.#hashes = this.#hashes.slice();
    copy.#length = this.#length;
    return copy;
  }

  counts(): Map<number, number> {
    const counts = new Map<number, number>();
    for (let index = 0; index < this.#length; index++) {
      const hash = this.#hashes[index]!;
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
    return counts;
  }
}
