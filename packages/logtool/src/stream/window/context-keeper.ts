import { compareRecords, type LogRecord } from '../../domain/record.ts';
import { detach } from '../run/line-parser.ts';
import { Lookahead } from './lookahead.ts';
import {
  amongOf,
  EDGE_RECORDS,
  type KeepPlan,
  type KeptLines,
  leftOut,
  OtherRecords,
  type TailKeeper,
  takeEdge,
} from './tail-keeper.ts';

interface Kept {
  readonly record: LogRecord;
  /** Among all records, in the total order. */
  readonly index: number;
  readonly isMatch: boolean;
}

/** Matches in another run of the container may have context in this one. */
export interface Neighbours {
  /** In the run before. */
  readonly preceding: boolean;
  /** In the run after it, or in later lines if it is followed. */
  readonly later: boolean;
}

/**
 * Keeps the last matches and the lines around them; of the other records the first ones, and the earliest or
 * the times. Lines may come slightly after their place in the order. If they come far after it, the lines
 * before a match are not those that came before it, and may be gone already: then it says so.
 */
export class ContextKeeper implements TailKeeper {
  readonly #plan: KeepPlan;
  readonly #neighbours: Neighbours;
  readonly #lookahead = new Lookahead();
  readonly #edge: LogRecord[] = [];
  readonly #others: OtherRecords;
  #kept: Kept[] = [];
  #matches = 0;
  /** The last lines before the present one, not kept so far; they begin at `#ringStart`. */
  #ring: LogRecord[] = [];
  #ringStart = 0;
  /** Lines that still follow a match. */
  #after: number;
  #last: LogRecord | undefined;
  #index = 0;
  #count = 0;
  #isOrdered = true;

  constructor(plan: KeepPlan, neighbours: Neighbours) {
    // One more, because the first line of an answer may be the end of one, and is dropped: usually, but not
    // always, nothing precedes it.
    const withOne = (count: number) => (count === 0 ? 0 : count + 1);
    this.#plan = { ...plan, before: withOne(plan.before), after: withOne(plan.after) };
    this.#neighbours = neighbours;
    this.#others = new OtherRecords(plan);
    this.#after = neighbours.preceding ? this.#plan.after : 0;
  }

  get count(): number {
    return this.#count;
  }

  get isOrdered(): boolean {
    return this.#isOrdered;
  }

  take(record: LogRecord, isAfter: boolean): void {
    const isEdge = this.#edge.length < EDGE_RECORDS;
    if (isAfter && !isEdge) return;
    this.#count++;
    if (isEdge) this.#edge.push(leftOut(record));
    if (!isAfter) this.#nextAll(this.#lookahead.push([record]));
  }

  takeAll(records: readonly LogRecord[]): void {
    const rest = takeEdge(this, records, EDGE_RECORDS - this.#edge.length);
    this.#count += rest.length;
    this.#nextAll(this.#lookahead.push(rest));
  }

  end(): KeptLines {
    this.#nextAll(this.#lookahead.flush());
    for (let index = this.#ringStart; index < this.#ring.length; index++) {
      if (this.#neighbours.later) this.#keep(this.#ring[index]!, this.#index, false);
      else this.#leave(this.#ring[index]!);
    }
    const kept = new Map(this.#kept.map(({ record }) => [record.seq, record]));
    const lines = this.#edge.map((record) => kept.get(record.seq) ?? record);
    for (const record of kept.values()) if (!this.#isInEdge(record)) lines.push(record);
    return { ...this.#others.end(lines, this.#count), isOrdered: this.#isOrdered };
  }

  /** The next records of the total order. */
  #nextAll(records: readonly LogRecord[]): void {
    if (records.length === 0) return;
    if (this.#last !== undefined && compareRecords(records[0]!, this.#last) < 0) this.#isOrdered = false;
    this.#last = records.at(-1);
    const { matches } = this.#plan;
    let start = 0;
    for (const match of matches === undefined ? records : amongOf(matches, records)) {
      const at = records.indexOf(match, start);
      this.#passOver(records, start, at);
      this.#addMatch(match);
      start = at + 1;
    }
    this.#passOver(records, start, records.length);
  }

  #addMatch(record: LogRecord): void {
    this.#index++;
    for (let index = this.#ringStart; index < this.#ring.length; index++)
      this.#keep(this.#ring[index]!, this.#index - (this.#ring.length - index), false);
    this.#ring = [];
    this.#ringStart = 0;
    this.#keep(record, this.#index, true);
    this.#after = Math.max(this.#after - 1, this.#plan.after);
    if (++this.#matches > this.#plan.maxMatches * 2) this.#cut();
  }

  /** Some of these records, which do not match: the first may follow a match, the last may precede one. */
  #passOver(records: readonly LogRecord[], start: number, end: number): void {
    let from = start;
    for (; from < end && this.#after > 0; from++) {
      this.#after--;
      this.#keep(records[from]!, ++this.#index, false);
    }
    this.#index += end - from;
    // The very last line shows whether the next run overlaps with this one.
    const most = Math.max(this.#plan.before, this.#neighbours.later ? 1 : 0);
    const old = Math.min(this.#ring.length, this.#ring.length + (end - from) - most);
    if (old > this.#ringStart) {
      this.#leaveRange(this.#ring, this.#ringStart, old);
      this.#ringStart = old;
    }
    const first = Math.max(from, end - most);
    this.#leaveRange(records, from, first);
    if (this.#ringStart > most) {
      this.#ring = this.#ring.slice(this.#ringStart);
      this.#ringStart = 0;
    }
    for (let index = first; index < end; index++) this.#ring.push(records[index]!);
  }

  /** What waits keeps alive the chunks that it is a view of, and those are its own neighbours. */
  #keep(record: LogRecord, index: number, isMatch: boolean): void {
    this.#kept.push({ record: detach(record), index, isMatch });
  }

  /** Records are numbered as they come, and the first ones are the edge. */
  #isInEdge({ seq }: LogRecord): boolean {
    return seq <= this.#edge.at(-1)!.seq;
  }

  #leave(record: LogRecord): void {
    if (!this.#isInEdge(record)) this.#others.add(record);
  }

  #leaveRange(records: readonly LogRecord[], start: number, end: number): void {
    let from = start;
    for (let index = start; index < end; index++) {
      if (!this.#isInEdge(records[index]!)) continue;
      this.#others.addRange(records, from, index);
      from = index + 1;
    }
    this.#others.addRange(records, from, end);
  }

  /** Drops records before the last matches and their context. */
  #cut(): void {
    // One more: the first line of an answer is dropped, and comes last where the clock was set back after it.
    this.#matches = this.#plan.maxMatches + 1;
    let matches = 0;
    let first = this.#kept.length;
    while (matches < this.#matches) if (this.#kept[--first]!.isMatch) matches++;
    const floor = this.#kept[first]!.index - this.#plan.before;
    const start = this.#kept.findIndex(({ index }) => index >= floor);
    for (const { record } of this.#kept.slice(0, start)) this.#leave(record);
    this.#kept = this.#kept.slice(start);
  }
}
