import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import { HashList, hashRecord } from './hash-list.ts';
import { detach } from './line-parser.ts';
import { isCutFrom } from './log-end.ts';

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
  /** Time of the line that the walk through the present run began with. */
  #first: Timestamp | undefined;
  /** That line while it is the only one: of a long line it may be the end alone. */
  #only: LogRecord | undefined;
  /** Second from which on lines lie that a server withheld (`withheldFrom`). */
  #withheld: number | undefined;
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

  /** Timestamp of the line that the walk through the present run began with. */
  get first(): Timestamp | undefined {
    return this.#first;
  }

  /** Timestamp of the last line in file order. */
  get last(): Timestamp | undefined {
    return this.#last;
  }

  /** The sinceTime that brings back everything not yet delivered; undefined when nothing was delivered. */
  get since(): Timestamp | undefined {
    if (this.#max === undefined) return undefined;
    const back = this.#max.nanos < DISORDER_NANOS ? 1 : 0;
    // Behind a small step back of the clock, lines go on from the last one.
    const at = Math.min(this.#max.seconds - back, (this.#last ?? this.#max).seconds);
    const seconds = Math.min(at, this.#withheld ?? at);
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

  /**
   * The node's clock was set back to in front of what was asked for: the server gives none of the lines from there on,
   * for it holds each against the time of the request. Until one of them came, `since` lies in front of them.
   */
  withheldFrom(seconds: number): void {
    this.#withheld = seconds;
  }

  get hasWithheld(): boolean {
    return this.#withheld !== undefined;
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
    this.#first = other.#first;
    this.#only = other.#only;
    this.#behind = other.#behind?.fork();
    this.#withheld = other.#withheld;
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
   * one are older (the end of a long line that began before `since`, or lines before the start of the walk, which may
   * be stamped a little later than its first line). So lines that may be in front are held until a known one shows.
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
      const isNewest = !this.#aligned && this.#isOfNewest(record);
      if (this.#wasDelivered(record)) {
        if (!isNewest) continue;
        this.#held = [];
        this.#aligned = true;
        continue;
      }
      if (!this.#aligned) {
        this.#held.push(record);
        if (!this.#mayBeInFront(record)) fresh.push(...this.#takeHeld(onGap));
        continue;
      }
      this.#note(record);
      fresh.push(record);
    }
    return fresh;
  }

  /** Whether lines are held back that `settle` would judge. */
  get isUnsettled(): boolean {
    return !this.#aligned && this.#held.length > 0;
  }

  /** The answer has come to the end of the log: the lines that were held back are in front of no known one. */
  settle(onGap?: (from: Timestamp, to: Timestamp) => void): readonly LogRecord[] {
    return this.isUnsettled ? this.#takeHeld(onGap) : [];
  }

  /** A new run of the same container begins: its first line has no known line in front of it. */
  beginRun(): void {
    this.#aligned = true;
    this.#runHasLines = false;
    this.#first = undefined;
    this.#only = undefined;
  }

  /**
   * Whether this very line was delivered; undefined where it is too old to tell. What stands behind a step back of the
   * node's clock is taken for new.
   */
  knows(record: LogRecord): boolean | undefined {
    const back = this.#second - record.at.seconds;
    if (back < 0) return false;
    if (back > 1) return this.#behind === undefined ? undefined : false;
    return (back === 0 ? this.#current : this.#before).has(hashRecord(record));
  }

  /** Whether a known line may stand behind this one in the file. */
  #mayBeInFront({ at }: LogRecord): boolean {
    if (this.#max !== undefined && compareTimestamps(at, this.#max) <= 0) return true;
    const first = this.#first;
    return (
      first !== undefined && (at.seconds - first.seconds) * 1e9 + at.nanos - first.nanos <= DISORDER_NANOS
    );
  }

  /** No known line is shown. All known is one that was cut, and is whole now; or known lines are gone. */
  #takeHeld(onGap: ((from: Timestamp, to: Timestamp) => void) | undefined): readonly LogRecord[] {
    const [held, only, from] = [this.#held, this.#only, this.#max];
    this.#held = [];
    this.#aligned = true;
    const whole = only === undefined ? -1 : held.findLastIndex((record) => isCutFrom(record, only));
    if (whole === -1 && from !== undefined) {
      const first = held.find(({ at }) => compareTimestamps(at, from) > 0) ?? held[0]!;
      onGap?.(from, first.at);
    }
    const fresh = held.slice(whole + 1);
    for (const record of fresh) this.#note(record);
    return fresh;
  }

  #wasDelivered(record: LogRecord): boolean {
    const isBehind = this.#behind === undefined ? false : this.#behind.#wasDelivered(record);
    if (isBehind) return true;
    const counts = this.#countsOf(record);
    const hash = hashRecord(record);
    const count = counts?.get(hash);
    if (counts === undefined || count === undefined) return false;
    if (count === 1) counts.delete(hash);
    else counts.set(hash, count - 1);
    return true;
  }

  /**
   * Whether this is a known line behind the last step back of the clock: between it and those in front of that step lie
   * lines that are known, though too old to be remembered one by one.
   */
  #isOfNewest(record: LogRecord): boolean {
    if (this.#behind !== undefined) return this.#behind.#isOfNewest(record);
    return this.#countsOf(record)?.has(hashRecord(record)) === true;
  }

  /** What the present answer may still bring again of the second of a line. */
  #countsOf({ at }: LogRecord): Map<number, number> | undefined {
    const back = this.#resumedSecond - at.seconds;
    if (back < 0 || back > 1) return undefined;
    return back === 0 ? this.#pending?.current : this.#pending?.before;
  }

  #note(record: LogRecord): void {
    const { at } = record;
    this.#last = at;
    this.#withheld = undefined;
    this.#only = this.#runHasLines ? undefined : detach(record);
    this.#first ??= at;
    this.#runHasLines = true;
    if (this.#max === undefined || compareTimestamps(at, this.#max) > 0) {
      this.#max = at;
      this.#behind = undefined;
    }
    if (at.seconds > this.#second) {
      // Both are used again: in a quiet log each line has a second of its own.
      [this.#before, this.#current] = [this.#current, this.#before];
      this.#current.clear();
      if (at.seconds > this.#second + 1) this.#before.clear();
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
