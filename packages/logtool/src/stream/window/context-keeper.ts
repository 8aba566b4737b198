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
  /** Index among all records, in the total order. */
  readonly index: number;
  readonly isMatch: boolean;
}

/** Matches in another run of the container may have context in this one. */
export interface Neighbors {
  /** In the previous run. */
  readonly preceding: boolean;
  /** In the next run, or in later lines if it is followed. */
  readonly later: boolean;
}

/**
 * Keeps the last matches and the lines around them; of the other records the first ones, and the earliest or the times.
 * Lines may be slightly out of order. If they are far out of order, the lines before a match are not those that arrived
 * before it, and may be gone already: then `isOrdered` is false.
 */
export class ContextKeeper implements TailKeeper {
  readonly #plan: KeepPlan;
  readonly #neighbors: Neighbors;
  readonly #lookahead = new Lookahead();
  readonly #edge: LogRecord[] = [];
  readonly #others: OtherRecords;
  #kept: Kept[] = [];
  #matches = 0;
  /** The last lines before the current one that were not kept so far; they begin at `#ringStart`. */
  #ring: LogRecord[] = [];
  #ringStart = 0;
  /** Number of lines that still follow a match. */
  #after: number;
  #last: LogRecord | undefined;
  #index = 0;
  #count = 0;
  #isOrdered = true;

  constructor(plan: KeepPlan, neighbors: Neighbors) {
    // One more, because the first line of an answer may be the end of one, and is dropped: usually, but not always,
    // nothing precedes it.
    const withOne = (count: number) => (count === 0 ? 0 : count + 1);
    this.#plan = { ...plan, before: withOne(plan.before), after: withOne(plan.after) };
    this.#neighbors = neighbors;
    this.#others = new OtherRecords(plan);
    this.#after = neighbors.preceding ? this.#plan.after : 0;
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
      if (this.#neighbors.later) this.#keep(this.#ring[index]!, this.#index, false);
      else this.#leave(this.#ring[index]!);
    }
    const kept = new Map(this.#kept.map(({ record }) => [record.seq, record]));
    const lines = this.#edge.map((record) => kept.get(record.seq) ?? record);
    for (const record of kept.values()) if (!this.#isInEdge(record)) lines.push(record);
    return { ...this.#others.end(lines, this.#count), isOrdered: this.#isOrdered };
  }

  /** Takes the next records of the total order. */
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

  /** Passes over some of these records, which do not match: the first may follow a match, the last may precede one. */
  #passOver(records: readonly LogRecord[], start: number, end: number): void {
    let from = start;
    for (; from < end && this.#after > 0; from++) {
      this.#after--;
      this.#keep(records[from]!, ++this.#index, false);
    }
    this.#index += end - from;
    // The very last line shows whether the next run overlaps with this one.
    const most = Math.max(this.#plan.before, this.#neighbors.later ? 1 : 0);
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

  /** Keeps a record as a copy: a view would keep its whole chunk alive. */
  #keep(record: LogRecord, index: number, isMatch: boolean): void {
    this.#kept.push({ record: detach(record), index, isMatch });
  }

  /** Records are numbered as they arrive, and the first ones are the edge. */
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
    // One more: the first line of an answer is dropped, and sorts last if the clock was set back after it.
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
