import type { Activity } from '../../agent-api/runs/run-facts.ts';
import { readEntry } from '../../backend/cri-entry.ts';
import { detectLevel } from '../../domain/level.ts';

/** What is counted of the lines of a run: nothing but their number, or also how many are errors. */
export type Counted = 'counts' | 'levels';

const MINUTES = 30;
const MINUTE_MS = 60_000;
const NEWLINE = 10;
/** Up to the minute; every stamp of a log has these in the same place. */
const MINUTE_LENGTH = 16;

/** Counts lines of a log file by the minutes of their stamps. Bytes come in their order, whole entries at a time. */
export class MinuteCounts {
  readonly #counted: Counted;
  readonly #lines = new Map<number, number>();
  readonly #errors = new Map<number, number>();
  /** Of the newest line, in minutes since the epoch. */
  #newest = Number.NEGATIVE_INFINITY;
  /** Earlier minutes are not known completely. */
  #completeFrom = Number.NEGATIVE_INFINITY;
  #isGap = false;
  #isInside = false;
  /** The beginning of a line whose last entry has not come yet. */
  #first: Buffer | undefined;
  /** The last minute that was parsed: most lines have the same. */
  #known = { text: '', minute: 0 };

  constructor(counted: Counted) {
    this.#counted = counted;
  }

  /**
   * Lines before the next one were not read: its minute, and all before, are unknown. `isInside`: the next bytes may be
   * the end of an entry.
   */
  gap(isInside = false): void {
    this.#isGap = true;
    this.#isInside = isInside;
    this.#first = undefined;
  }

  /** Counts the whole entries among bytes, and returns how many bytes they are. What is no entry counts as no line. */
  take(bytes: Buffer): number {
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, start);
      if (end === -1) return start;
      if (this.#isInside) this.#isInside = false;
      else this.#takeEntry(bytes, start, end);
      start = end + 1;
    }
  }

  /** Undefined: no line was read yet. */
  activity(): Activity | undefined {
    if (this.#newest === Number.NEGATIVE_INFINITY) return undefined;
    const first = this.#newest - MINUTES + 1;
    const list = (counts: ReadonlyMap<number, number>) =>
      Array.from({ length: MINUTES }, (_, at) =>
        first + at < this.#completeFrom ? null : (counts.get(first + at) ?? 0),
      );
    return {
      lastMinute: `${new Date(this.#newest * MINUTE_MS).toISOString().slice(0, 19)}Z`,
      perMinute: list(this.#lines),
      ...(this.#counted === 'levels' ? { errorsPerMinute: list(this.#errors) } : {}),
    };
  }

  #takeEntry(bytes: Buffer, start: number, end: number): void {
    const entry = readEntry(bytes, start, end);
    if (entry === undefined) return;
    if (entry.isPartial) {
      // A level stands at the beginning of its line.
      if (this.#counted === 'levels') this.#first ??= Buffer.from(bytes.subarray(entry.message, end));
      return;
    }
    const minute = this.#minuteOf(bytes, start, entry.stampEnd);
    const message = this.#first ?? bytes.subarray(entry.message, end);
    this.#first = undefined;
    if (Number.isNaN(minute)) return;
    this.#advance(minute);
    add(this.#lines, minute);
    if (this.#counted === 'levels' && isError(message)) add(this.#errors, minute);
  }

  #minuteOf(bytes: Buffer, start: number, stampEnd: number): number {
    const date = bytes.toString('latin1', start, start + MINUTE_LENGTH);
    // `Z`, or the offset of the node's zone.
    const zone = bytes[stampEnd - 1] === 90 ? 'Z' : bytes.toString('latin1', stampEnd - 6, stampEnd);
    const text = date + zone;
    if (text !== this.#known.text) {
      this.#known = { text, minute: Math.floor(Date.parse(`${date}:00${zone}`) / MINUTE_MS) };
    }
    return this.#known.minute;
  }

  #advance(minute: number): void {
    if (this.#isGap) {
      this.#completeFrom = Math.max(minute, this.#newest) + 1;
      this.#isGap = false;
    }
    if (minute <= this.#newest) return;
    this.#newest = minute;
    for (const counts of [this.#lines, this.#errors])
      for (const known of counts.keys()) if (known <= minute - MINUTES) counts.delete(known);
  }
}

function add(counts: Map<number, number>, minute: number): void {
  counts.set(minute, (counts.get(minute) ?? 0) + 1);
}

function isError(message: Uint8Array): boolean {
  const level = detectLevel(message);
  return level === 'error' || level === 'fatal';
}
