import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { DISORDER_SECONDS, type EntryQuery, hasTimes, type Point, sideOf } from './entry-query.ts';
import type { EntryRange } from './entry-range.ts';
import { type FileEntry, isOfStream, timeOf } from './file-entries.ts';

/** What is held of a line that is read backwards: its time is that of its first entry, which comes last. */
const MAX_HELD_BYTES = 8 * 1024 * 1024;

/** Chooses the entries that a query wants, as they are read in one direction. */
export interface WantedLines {
  /** Nothing more is wanted. */
  readonly isOver: boolean;
  /** What was read completely when it was over: the place after a line, or before one. */
  readonly stoppedAt: { readonly entry: FileEntry; readonly offset: number } | undefined;
  /** The first entry that was read of those that it holds. */
  readonly held: FileEntry | undefined;
  /** Returns the wanted ones of the next entries, and of those that it held. */
  take(entries: readonly FileEntry[]): readonly FileEntry[];
  /**
   * The line of the last entry does not go on: its run is over, or what follows is missing. `isAtBorder`: nothing more is
   * read, so read backwards, a line may have begun before the range.
   */
  endLine(isAtBorder?: boolean): readonly FileEntry[];
}

/** Chooses the entries of a query in the range where they lie. */
export function wantedLines(query: EntryQuery, { isOrdered, isLineOpen }: EntryRange): WantedLines {
  return query.direction === 'forward'
    ? new LinesForwards(query, isOrdered, isLineOpen)
    : new LinesBackwards(query, isOrdered, isLineOpen);
}

class LinesForwards implements WantedLines {
  readonly #query: EntryQuery;
  readonly #isOrdered: boolean;
  readonly #hasTimes: boolean;
  #isLineStart: boolean;
  /** Of a line that began before the range, the rest is left out. */
  #isLeftOut: boolean;
  #last: FileEntry | undefined;
  #lines = 0;
  isOver = false;
  readonly held = undefined;
  stoppedAt: WantedLines['stoppedAt'];

  constructor(query: EntryQuery, isOrdered: boolean, isLineOpen: boolean) {
    this.#isLineStart = !isLineOpen;
    this.#isLeftOut = isLineOpen;
    this.#query = query;
    this.#isOrdered = isOrdered;
    this.#hasTimes = hasTimes(query);
  }

  take(entries: readonly FileEntry[]): readonly FileEntry[] {
    const wanted: FileEntry[] = [];
    for (const entry of entries) {
      if (!isOfStream(entry, this.#query.stream)) continue;
      if (this.#isLineStart) this.#beginLine(entry);
      if (this.isOver) break;
      this.#isLineStart = !entry.isPartial;
      if (this.#isLeftOut) continue;
      wanted.push(entry);
      this.#last = entry;
      if (this.#isLineStart && ++this.#lines === this.#query.limit) {
        this.#stop(entry, entry.next);
        break;
      }
    }
    return wanted;
  }

  endLine(): readonly FileEntry[] {
    const last = this.#last;
    const isOpen = !this.#isLineStart && !this.#isLeftOut;
    this.#isLineStart = true;
    if (isOpen && last !== undefined && ++this.#lines === this.#query.limit) this.#stop(last, last.next);
    return [];
  }

  #beginLine(entry: FileEntry): void {
    if (!this.#hasTimes) return;
    const at = timeOf(entry);
    const side = at === undefined ? 0 : sideOf(this.#query, at);
    this.#isLeftOut = side !== 0;
    if (side === 1 && this.#isOrdered && isFarFrom(this.#query.upper?.point, at))
      this.#stop(entry, entry.offset);
  }

  #stop(entry: FileEntry, offset: number): void {
    this.isOver = true;
    this.stoppedAt = { entry, offset };
  }
}

class LinesBackwards implements WantedLines {
  readonly #query: EntryQuery;
  readonly #isOrdered: boolean;
  readonly #hasTimes: boolean;
  readonly #isLineOpen: boolean;
  /** The last entries of a line. */
  #held: FileEntry[] = [];
  #heldBytes = 0;
  #lines = 0;
  isOver = false;
  stoppedAt: WantedLines['stoppedAt'];

  constructor(query: EntryQuery, isOrdered: boolean, isLineOpen: boolean) {
    this.#query = query;
    this.#isOrdered = isOrdered;
    this.#isLineOpen = isLineOpen;
    this.#hasTimes = hasTimes(query);
  }

  take(entries: readonly FileEntry[]): readonly FileEntry[] {
    const wanted: FileEntry[] = [];
    for (const entry of entries) {
      if (!isOfStream(entry, this.#query.stream)) continue;
      if (this.#held.length > 0 && !entry.isPartial) wanted.push(...this.endLine());
      if (this.isOver) break;
      if (this.#heldBytes > MAX_HELD_BYTES) wanted.push(...this.#release());
      this.#held.push(entry);
      this.#heldBytes += entry.text.length;
    }
    return wanted;
  }

  get held(): FileEntry | undefined {
    return this.#held[0];
  }

  endLine(isAtBorder = false): readonly FileEntry[] {
    // Its first entry, whose time is that of the line, lies before the range.
    if (isAtBorder && this.#isLineOpen) this.#held = [];
    const first = this.#held.at(-1);
    const wanted = this.#release();
    if (first !== undefined && wanted.length > 0 && ++this.#lines === this.#query.limit)
      this.#stop(first, first.offset);
    return wanted;
  }

  /** Returns the held entries if they are wanted, judged by the first of them. */
  #release(): readonly FileEntry[] {
    const held = this.#held;
    const first = held.at(-1);
    this.#held = [];
    this.#heldBytes = 0;
    if (first === undefined || !this.#hasTimes) return held;
    const at = timeOf(first);
    const side = at === undefined ? 0 : sideOf(this.#query, at);
    if (side === -1 && this.#isOrdered && isFarFrom(this.#query.lower?.point, at))
      this.#stop(first, first.next);
    return side === 0 ? held : [];
  }

  #stop(entry: FileEntry, offset: number): void {
    this.isOver = true;
    this.stoppedAt = { entry, offset };
  }
}

/** Whether a time is so far from a bound that lines beyond it are, too. */
function isFarFrom(point: Point | undefined, at: Timestamp | undefined): boolean {
  if (point?.kind !== 'time' || at === undefined) return false;
  return Math.abs(at.seconds - point.at.seconds) > DISORDER_SECONDS;
}
