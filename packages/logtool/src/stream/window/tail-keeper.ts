import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { RecordMatcher } from '../../domain/filter.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import { detach } from '../run/line-parser.ts';
import { LOOKAHEAD_RECORDS } from './lookahead.ts';
import { TimeList } from './time-list.ts';

/** Replaces the message of an unused record: only its time is needed. */
export const LEFT_OUT = new Uint8Array(0);
/**
 * Number of first records that are always kept: they show where an answer begins, and which of its records are certain.
 */
export const EDGE_RECORDS = LOOKAHEAD_RECORDS + 2;
const NO_BYTES = new Uint8Array(0);

/** Whether the message of a record is known. */
export function isKept({ message }: LogRecord): boolean {
  return message !== LEFT_OUT;
}

/** What a search back needs of the records that it reads. */
export interface KeepPlan {
  /** Records must match this for their messages to be kept; undefined: all do. */
  readonly matches: RecordMatcher | undefined;
  /** Maximum number of matches needed, the last ones in the total order. */
  readonly maxMatches: number;
  /** Lines of the container before and after a match that may be shown with it. */
  readonly before: number;
  readonly after: number;
  /** Keep only the times of the records. */
  readonly timesOnly: boolean;
  /** Count the other records, instead of also keeping their times. */
  readonly isSparse: boolean;
  /**
   * With `isSparse`, keep a compact list of their times: the result needs the records at these times, at the times of
   * kept records, and at times that turn out later.
   */
  readonly tally?: readonly Timestamp[] | undefined;
  /**
   * Times at which a cursor counts records: each needs all or none of its records, and the given time and later ones
   * need all.
   */
  readonly countedAt: 'nowhere' | 'everywhere' | Timestamp;
}

export function hasContext({ before, after }: KeepPlan): boolean {
  return before + after > 0;
}

/** The plan if it is unknown what is needed. */
export const KEEP_ALL: KeepPlan = {
  matches: undefined,
  maxMatches: Number.POSITIVE_INFINITY,
  before: 0,
  after: 0,
  timesOnly: false,
  isSparse: false,
  countedAt: 'everywhere',
};

/** The kept records of an answer. */
export interface KeptLines {
  /** The first EDGE_RECORDS in order of arrival, then the kept ones, and the earliest of the rest. */
  readonly lines: readonly LogRecord[];
  /** Number of records not among them. */
  readonly counted: number;
  /** The times of those records, if they are tallied. */
  readonly times: readonly TimeList[];
  /** The context could be determined on arrival. */
  readonly isOrdered: boolean;
}

/** Takes the records of an answer, in file order, and keeps what is needed. */
export interface TailKeeper {
  /** Number of records taken. */
  readonly count: number;
  /** False: the context can no longer be determined; continuing is useless. */
  readonly isOrdered: boolean;
  /** Takes a record; `isAfter`: it is after the window, and is needed to show that more exist. */
  take(record: LogRecord, isAfter: boolean): void;
  /** Takes records that are not after the window. */
  takeAll(records: readonly LogRecord[]): void;
  end(): KeptLines;
}

/** Takes the first records, this many, one by one; returns the others. */
export function takeEdge(
  keeper: TailKeeper,
  records: readonly LogRecord[],
  count: number,
): readonly LogRecord[] {
  if (count <= 0) return records;
  for (const record of records.slice(0, count)) keeper.take(record, false);
  return records.slice(count);
}

/** Returns the records that pass, in order. */
export function amongOf(matches: RecordMatcher, records: readonly LogRecord[]): readonly LogRecord[] {
  return matches.among === undefined ? records.filter(matches) : matches.among(records);
}

/** The records of which only times are kept, and the size of an answer including them. */
export class OtherRecords {
  readonly #plan: KeepPlan;
  readonly #isSparse: boolean;
  readonly #times: TimeList | undefined;
  #records: LogRecord[] = [];
  #earliest: LogRecord | undefined;

  constructor(plan: KeepPlan) {
    this.#plan = plan;
    this.#isSparse = plan.isSparse;
    this.#times = plan.isSparse && plan.tally !== undefined ? new TimeList() : undefined;
  }

  add(record: LogRecord): void {
    if (this.#isSparse) {
      this.noteEarliest(record);
      if (this.#times !== undefined) this.#times.add(record);
    } else this.#records.push(this.#plan.timesOnly ? { ...record, message: NO_BYTES } : leftOut(record));
  }

  /** Adds a range of these records, which are in the total order, up to `end` (exclusive). */
  addRange(records: readonly LogRecord[], start: number, end: number): void {
    if (this.#isSparse && this.#times === undefined) {
      if (start < end) this.noteEarliest(records[start]!);
    } else for (let index = start; index < end; index++) this.add(records[index]!);
  }

  /** Notes the earliest record, which shows how far back the answer is known. */
  noteEarliest(record: LogRecord): void {
    if (this.#earliest === undefined || compareRecords(record, this.#earliest) < 0)
      this.#earliest = leftOut(record);
  }

  /** Drops records before a time. */
  dropBefore(floor: Timestamp): void {
    const isNeeded = ({ at }: LogRecord) => compareTimestamps(at, floor) >= 0;
    for (const record of this.#records) if (!isNeeded(record)) this.noteEarliest(record);
    this.#records = this.#records.filter(isNeeded);
  }

  /** Returns the result for `count` records: the kept ones, and the needed ones of the others. */
  end(kept: readonly LogRecord[], count: number): Omit<KeptLines, 'isOrdered'> {
    const lines = [...kept, ...this.#records];
    if (this.#earliest !== undefined) lines.push(this.#earliest);
    this.#addTallied(lines);
    const times = this.#times === undefined ? [] : [this.#times];
    return { lines, counted: count - lines.length, times };
  }

  /** Adds the records at the times that a cursor counts. */
  #addTallied(lines: LogRecord[]): void {
    const { tally } = this.#plan;
    if (this.#times === undefined || tally === undefined) return;
    const counting = [...tally, ...lines.filter(isKept).map(({ at }) => at)];
    const known = new Set(lines.map(({ seq }) => seq));
    for (const record of this.#times.at(counting, LEFT_OUT)) if (!known.has(record.seq)) lines.push(record);
  }
}

/** Keeps the last matches; of the other records the first ones, and the earliest or the times. */
export class MatchKeeper implements TailKeeper {
  readonly isOrdered = true;
  readonly #plan: KeepPlan;
  readonly #edge: LogRecord[] = [];
  readonly #others: OtherRecords;
  #matches: LogRecord[] = [];
  #count = 0;
  #cutAt: number;

  constructor(plan: KeepPlan) {
    this.#plan = plan;
    this.#others = new OtherRecords(plan);
    this.#cutAt = plan.maxMatches * 2;
  }

  get count(): number {
    return this.#count;
  }

  take(record: LogRecord, isAfter: boolean): void {
    const { matches } = this.#plan;
    const isEdge = this.#edge.length < EDGE_RECORDS;
    if (isAfter && !isEdge) return;
    this.#count++;
    const isMatch = !isAfter && (matches === undefined || matches(record));
    if (isEdge) this.#edge.push(isMatch ? this.#kept(record) : leftOut(record));
    else if (isMatch) this.#addMatch(record);
    else this.#others.add(record);
  }

  #addMatch(record: LogRecord): void {
    this.#matches.push(this.#kept(record));
    if (this.#matches.length > this.#cutAt) this.#cut();
  }

  takeAll(records: readonly LogRecord[]): void {
    const rest = takeEdge(this, records, EDGE_RECORDS - this.#edge.length);
    const { matches } = this.#plan;
    const matching = matches === undefined ? rest : amongOf(matches, rest);
    let next = 0;
    this.#count += rest.length;
    for (const record of rest) {
      if (record !== matching[next]) this.#others.add(record);
      else {
        next++;
        this.#addMatch(record);
      }
    }
  }

  end(): KeptLines {
    return { ...this.#others.end([...this.#edge, ...this.#matches], this.#count), isOrdered: true };
  }

  #kept(record: LogRecord): LogRecord {
    return this.#plan.timesOnly ? { ...record, message: NO_BYTES } : detach(record);
  }

  /** Drops records before the last matches. */
  #cut(): void {
    const { countedAt, maxMatches } = this.#plan;
    const sorted = this.#matches.sort(compareRecords);
    const first = firstShownIndex(sorted, maxMatches, countedAt);
    const floor = sorted[first];
    if (floor !== undefined && first > 0) {
      this.#others.noteEarliest(sorted[0]!);
      this.#matches = sorted.slice(first);
      this.#others.dropBefore(floor.at);
    }
    this.#cutAt = Math.max(maxMatches, this.#matches.length) * 2;
  }
}

/** Returns the index, in records in the total order, of the first one needed for the last `most`. */
export function firstShownIndex(
  sorted: readonly LogRecord[],
  most: number,
  countedAt: KeepPlan['countedAt'],
): number {
  if (countedAt === 'nowhere') return Math.max(0, sorted.length - most);
  let end = sorted.length;
  if (countedAt !== 'everywhere')
    while (end > 0 && compareTimestamps(sorted[end - 1]!.at, countedAt) >= 0) end--;
  let first = Math.max(0, end - most);
  while (first > 0 && compareTimestamps(sorted[first - 1]!.at, sorted[first]!.at) === 0) first--;
  return first;
}

export function leftOut(record: LogRecord): LogRecord {
  return { ...record, message: LEFT_OUT };
}
