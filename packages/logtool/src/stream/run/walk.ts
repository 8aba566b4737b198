import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import { HashList, hashRecord } from './hash-list.ts';
import { detach } from './line-parser.ts';
import { isCutFrom } from './log-end.ts';
import {
  AGAIN_SECONDS,
  atNextRun,
  DISORDER_NANOS,
  type Position,
  type ResumedLine,
  type RunStartSeen,
  type Segment,
  START,
} from './position.ts';

type OnGap = (from: Timestamp, to: Timestamp) => void;

/** Walks through a container's log: takes the records of successive answers and passes each once. */
export class Walk {
  /** Numbers the records of all answers. */
  readonly counter = { seq: 0 };
  #segments: SegmentWalk[] = [];
  #run: RunStartSeen | undefined;
  #isRunLost = false;
  #withheldFrom: number | undefined;
  #resumed: ResumedLine | undefined;
  /** Lines of the current answer that may or may not be new. */
  #held: LogRecord[] = [];
  #aligned = true;
  /** Whether the current answer may contain delivered lines. */
  #resumes = false;
  #brought: 'nothing' | 'known' | 'new' = 'nothing';
  /** Consecutive earlier answers with nothing but known lines. */
  #repeats = 0;
  #isAnswered = true;

  constructor(from: Position = START) {
    this.restore(from);
  }

  /** Its current position. */
  get position(): Position {
    return {
      segments: this.#segments.map((segment) => segment.value),
      run: this.#run,
      isRunLost: this.#isRunLost,
      withheldFrom: this.#withheldFrom,
      resumed: this.#resumed,
      seq: this.counter.seq,
    };
  }

  /** Returns to a position, as when an answer turns out to belong to another run. */
  restore(position: Position): void {
    this.#segments = position.segments.map((segment) => new SegmentWalk(segment));
    this.#run = position.run;
    this.#isRunLost = position.isRunLost;
    this.#withheldFrom = position.withheldFrom;
    this.#resumed = position.resumed;
    // No number is used twice.
    this.counter.seq = Math.max(this.counter.seq, position.seq);
    this.#resumes = false;
    this.#aligned = true;
    this.#held = [];
  }

  /** Greatest timestamp delivered so far. */
  get max(): Timestamp | undefined {
    return this.#segments[0]?.max ?? this.#resumed?.at;
  }

  /** Whether any line of the current run was delivered. */
  get hasLines(): boolean {
    return this.#run !== undefined;
  }

  /** Timestamp of the line at which the walk through the current run began. */
  get first(): Timestamp | undefined {
    return this.#run?.first;
  }

  /** Timestamp of the last line in file order. */
  get last(): Timestamp | undefined {
    return this.#segments[0]?.last;
  }

  /**
   * Records that the node's clock was set back to before the requested time: the server returns none of the lines from
   * there on, because it compares each with the time of the request (test/recorded/pods-log/follow-since-future.json).
   * Until one of them arrives, the next read begins before them.
   */
  withheldFrom(seconds: number): void {
    this.#withheldFrom = seconds;
  }

  get hasWithheld(): boolean {
    return this.#withheldFrom !== undefined;
  }

  /** Prepares for records of a request with `sinceOf`: drops delivered ones again. */
  beginResume(): void {
    this.#held = [];
    this.#isAnswered = true;
    this.#repeats = this.#brought === 'known' ? this.#repeats + 1 : 0;
    this.#brought = 'nothing';
    if (this.#segments.length === 0) return;
    for (const segment of this.#segments) segment.beginResume();
    this.#resumes = true;
    this.#aligned = this.#run === undefined;
  }

  /**
   * Whether the current answer contained a delivered line, so that nothing can lie between. Also true if there was
   * nothing to resume.
   */
  get aligned(): boolean {
    return this.#aligned;
  }

  /**
   * Whether the current answer repeats delivered lines and has not come to the last of them: if it ended, it broke off,
   * and is not the end of the log. False also if that is uncertain.
   */
  get isAmongKnown(): boolean {
    const isJudged = this.#resumes && this.#brought !== 'new' && this.#segments.length === 1;
    // The only known line may come again as a longer one.
    return (
      isJudged && this.#run !== undefined && this.#run.only === undefined && this.#segments[0]!.awaitsLast
    );
  }

  /** Records that a request was not answered: another kind of request would not be either. */
  missAnswer(): void {
    this.#isAnswered = false;
  }

  /**
   * Resets the count of repeats: the current answer did not break before it reached new lines, so receiving only known
   * lines proves nothing.
   */
  forgetRepeats(): void {
    this.#brought = 'nothing';
    this.#repeats = 0;
  }

  /**
   * Whether answers break before they reach new lines: for a fast log, up to two seconds come again. Without another
   * kind of request, a read ends there (follow/behaviour-fast-log.test.ts).
   */
  get isStuck(): boolean {
    return this.#isAnswered && this.#brought === 'known' && this.#repeats > 0;
  }

  /**
   * Takes the records of an answer in file order and returns the new ones. Lines before the first known one are older
   * (the end of a long line that began before the requested time, or lines before the start of the walk, which may have
   * slightly later timestamps than its first line). So it holds lines that may be older until a known one arrives.
   * Calls `onGap` if the answer begins after the last delivered line: lines may be missing.
   */
  admit(records: readonly LogRecord[], onGap?: OnGap): readonly LogRecord[] {
    const wanted = this.#resumed === undefined ? records : this.#afterResumed(this.#resumed, records, onGap);
    if (this.#resumes) return this.#admitUnknown(wanted, onGap);
    this.#noteAll(wanted);
    return wanted;
  }

  #admitUnknown(records: readonly LogRecord[], onGap: OnGap | undefined): readonly LogRecord[] {
    const fresh: LogRecord[] = [];
    for (const record of records) {
      const isNewest = !this.#aligned && this.#segments.at(-1)?.awaits(record) === true;
      if (this.#wasDelivered(record)) {
        if (!isNewest) continue;
        this.#held = [];
        this.#aligned = true;
      } else if (this.#aligned) {
        this.#note(record);
        fresh.push(record);
      } else {
        this.#held.push(record);
        if (!this.#mayBeOlder(record)) fresh.push(...this.#takeHeld(onGap));
      }
    }
    if (fresh.length > 0) this.#brought = 'new';
    else if (this.#brought === 'nothing') this.#brought = 'known';
    return fresh;
  }

  /** Finds the line after which the view resumed, and drops what precedes it by far. */
  #afterResumed(
    resumed: ResumedLine,
    records: readonly LogRecord[],
    onGap: OnGap | undefined,
  ): readonly LogRecord[] {
    const [first] = records;
    if (first === undefined) return records;
    this.#resumed = { ...resumed, sawLines: true };
    if (resumed.awaits !== 'no-run') {
      // Between two runs only the line itself shows its run.
      const isKnown = (record: LogRecord) => {
        const order = compareTimestamps(record.at, resumed.at);
        return resumed.isOf === 'first-run' ? order <= 0 : order === 0;
      };
      const hasKnown = records.some(isKnown);
      const isGap = !hasKnown && records.every((record) => compareTimestamps(record.at, resumed.at) > 0);
      if (hasKnown || isGap) this.#resumed = { ...this.#resumed, awaits: 'no-run' };
      if (isGap) onGap?.(resumed.at, first.at);
    }
    const from = resumed.at.seconds - AGAIN_SECONDS;
    const isWanted = (record: LogRecord) => record.at.seconds >= from;
    return this.#segments.length > 0 || records.every(isWanted) ? records : records.filter(isWanted);
  }

  /** Whether `settle` has held lines to judge. */
  get isUnsettled(): boolean {
    return !this.#aligned && this.#held.length > 0;
  }

  /** Passes the held lines after the answer reached the end of the log: no known line follows them. */
  settle(onGap?: OnGap): readonly LogRecord[] {
    return this.isUnsettled ? this.#takeHeld(onGap) : [];
  }

  /**
   * Begins a new run of the same container. Returns the time of the line after which the view resumed, if the ended run
   * should have contained it but no longer had any line.
   */
  beginRun(): Timestamp | undefined {
    const resumed = this.#resumed;
    const next = atNextRun({ ...START, resumed });
    this.#aligned = true;
    this.#run = next.run;
    this.#isRunLost = next.isRunLost;
    this.#resumed = next.resumed;
    const isLost = resumed?.awaits === 'first-run' && !resumed.sawLines;
    return isLost ? resumed.at : undefined;
  }

  /** Continues the current run after known lines that its log no longer has. Returns the same as `beginRun`. */
  loseRun(): Timestamp | undefined {
    const lost = this.beginRun();
    this.#isRunLost = true;
    return lost;
  }

  /** Whether a known line may come after this one in the file. */
  #mayBeOlder({ at }: LogRecord): boolean {
    const max = this.#segments[0]?.max;
    if (max !== undefined && compareTimestamps(at, max) <= 0) return true;
    const first = this.#run?.first;
    return (
      first !== undefined && (at.seconds - first.seconds) * 1e9 + at.nanos - first.nanos <= DISORDER_NANOS
    );
  }

  /**
   * Takes the held lines: no known line arrived. Either the only known line was incomplete before and now it is
   * complete, or known lines are gone.
   */
  #takeHeld(onGap: OnGap | undefined): readonly LogRecord[] {
    const [held, only, from] = [this.#held, this.#run?.only, this.#segments[0]?.max];
    this.#held = [];
    this.#aligned = true;
    // A tail may begin inside a long line (test/recorded/pods-log/tail-counts-fragments-*.json).
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
    for (let index = this.#segments.length - 1; index >= 0; index--)
      if (this.#segments[index]!.takeDelivered(record)) return true;
    return false;
  }

  #noteAll(records: readonly LogRecord[]): void {
    let index = 0;
    while (index < records.length) {
      this.#note(records[index++]!);
      // Most lines of most logs: the time of each equals or follows that of the previous one.
      const isPlain = this.#segments.length === 1 && this.#run !== undefined && this.#run.only === undefined;
      if (isPlain) index += this.#segments[0]!.noteRising(records, index);
    }
  }

  #note(record: LogRecord): void {
    const { at } = record;
    this.#withheldFrom = undefined;
    if (this.#run === undefined) this.#beginAt(record);
    else if (this.#run.only !== undefined) this.#run = { first: this.#run.first, only: undefined };
    const segments = this.#segments;
    for (let index = 0; index < segments.length; index++) {
      const segment = segments[index]!;
      // The clock has passed the time from which it was set back.
      if (segments.length > index + 1 && segment.raises(at)) segments.length = index + 1;
      if (segment.note(record)) return;
    }
    segments.push(SegmentWalk.from(record));
  }

  #beginAt(first: LogRecord): void {
    this.#run = { first: first.at, only: detach(first) };
    this.#isRunLost = false;
  }
}

/** A growing segment, and what an answer may still repeat of it. */
class SegmentWalk {
  max: Timestamp;
  last: Timestamp;
  #second: number;
  #current = new HashList();
  #previous = new HashList();
  #resumedSecond = 0;
  /** The hash of the last line of that second. */
  #resumedLast: number | undefined;
  #pending: { readonly current: Map<number, number>; readonly previous: Map<number, number> } | undefined;

  constructor({ max, last, second, current, previous }: Segment) {
    this.max = max;
    this.last = last;
    this.#second = second;
    this.#current.set(current);
    this.#previous.set(previous);
  }

  static from(record: LogRecord): SegmentWalk {
    const { at } = record;
    const [current, previous] = [Int32Array.of(hashRecord(record)), new Int32Array(0)];
    return new SegmentWalk({ max: at, last: at, second: at.seconds, current, previous });
  }

  get value(): Segment {
    return {
      max: this.max,
      last: this.last,
      second: this.#second,
      current: this.#current.values(),
      previous: this.#previous.values(),
    };
  }

  beginResume(): void {
    this.#resumedSecond = this.#second;
    this.#resumedLast = this.#current.last;
    this.#pending = { current: this.#current.counts(), previous: this.#previous.counts() };
  }

  /** Whether a line of this time is later than the whole segment. */
  raises(at: Timestamp): boolean {
    return compareTimestamps(at, this.max) > 0;
  }

  /** Adds a line; false if it is older than the remembered seconds: the clock was set back. */
  note(record: LogRecord): boolean {
    const { at } = record;
    this.last = at;
    if (this.raises(at)) this.max = at;
    if (at.seconds > this.#second) this.#turnTo(at.seconds);
    if (at.seconds === this.#second) this.#current.push(hashRecord(record));
    else if (at.seconds === this.#second - 1) this.#previous.push(hashRecord(record));
    else return false;
    return true;
  }

  /** Adds the lines from an index on until one is earlier than its predecessor; returns their number. */
  noteRising(records: readonly LogRecord[], start: number): number {
    let { max } = this;
    let index = start;
    for (; index < records.length; index++) {
      const record = records[index]!;
      const { at } = record;
      if (at.seconds < max.seconds || (at.seconds === max.seconds && at.nanos < max.nanos)) break;
      if (at.seconds > this.#second) this.#turnTo(at.seconds);
      else if (at.seconds < this.#second) break;
      max = at;
      this.#current.push(hashRecord(record));
    }
    if (index > start) {
      this.max = max;
      this.last = max;
    }
    return index - start;
  }

  #turnTo(second: number): void {
    // Reuses both lists: in a quiet log each line has its own second.
    [this.#previous, this.#current] = [this.#current, this.#previous];
    this.#current.clear();
    if (second > this.#second + 1) this.#previous.clear();
    this.#second = second;
  }

  /** Whether the current answer still lacks the last line of the newest second. */
  get awaitsLast(): boolean {
    const last = this.#resumedLast;
    return last !== undefined && this.#pending?.current.has(last) === true;
  }

  /** Whether the current answer may still repeat this line. */
  awaits(record: LogRecord): boolean {
    return this.#countsOf(record)?.has(hashRecord(record)) === true;
  }

  /** Whether this line was delivered before the current answer; counts each copy once. */
  takeDelivered(record: LogRecord): boolean {
    const counts = this.#countsOf(record);
    const hash = hashRecord(record);
    const count = counts?.get(hash);
    if (counts === undefined || count === undefined) return false;
    if (count === 1) counts.delete(hash);
    else counts.set(hash, count - 1);
    return true;
  }

  /** Returns what the current answer may still repeat of the second of a line. */
  #countsOf({ at }: LogRecord): Map<number, number> | undefined {
    const back = this.#resumedSecond - at.seconds;
    if (back < 0 || back > 1) return undefined;
    return back === 0 ? this.#pending?.current : this.#pending?.previous;
  }
}
