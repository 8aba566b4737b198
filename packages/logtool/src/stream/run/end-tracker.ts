import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import { copiesAtEnd, isEnd, isSameRecord, type LogEnd } from './log-end.ts';

/** Lines kept from the read, to find its end among the lines of a probe. */
const RECENT_LINES = 8;
/** Longer lines are not kept for that. */
const RECENT_BYTES = 4096;
/** Fewer lines that agree might be others that look the same. */
const MIN_OVERLAP = 3;

/**
 * Watches the lines of one answer after the other, in file order, for the end that a probe saw. The last few lines are
 * kept as views of their chunks: to copy them, batch by batch, takes more time than to find where the lines are.
 */
export class EndTracker {
  #last: LogRecord | undefined;
  #copies = 0;
  #bound: LogEnd | undefined;
  #reached = false;
  #recent: LogRecord[] = [];
  /** Near the bound there are lines that are the same. */
  #hasTwins = false;
  /** Lines that the present answer lacks of as many as were asked for. */
  #lacking = Number.POSITIVE_INFINITY;

  /**
   * Lines of another answer follow: they may begin with some that the one before ended with. `tailLines`: how many the
   * log was asked for, where that is all it was asked for.
   */
  beginAnswer(tailLines: number | undefined): void {
    this.#lacking = tailLines ?? Number.POSITIVE_INFINITY;
    this.#last = undefined;
    this.#copies = 0;
    this.#recent = [];
  }

  /** Whether the present answer has any. */
  get hasLines(): boolean {
    return this.#last !== undefined;
  }

  note(records: readonly LogRecord[]): void {
    this.#lacking -= records.length;
    if (!this.#hasTwins) this.#keepRecent(records);
    if (this.#bound === undefined) {
      this.#noteLast(records);
      return;
    }
    for (const record of records) {
      if (this.#hasTwins) this.#keepRecent([record]);
      this.#copies = this.#last !== undefined && isSameRecord(this.#last, record) ? this.#copies + 1 : 1;
      this.#last = record;
      this.#check();
    }
  }

  /** While no end is known only the last line matters: counts its copies from the end. */
  #noteLast(records: readonly LogRecord[]): void {
    const last = records.at(-1);
    if (last === undefined) return;
    const copies = copiesAtEnd(records, last);
    const goesOn = copies === records.length && this.#last !== undefined && isSameRecord(this.#last, last);
    this.#copies = goesOn ? this.#copies + copies : copies;
    this.#last = last;
  }

  #keepRecent(records: readonly LogRecord[]): void {
    const isEnough = records.length >= RECENT_LINES;
    this.#recent = recentOf(isEnough ? records : [...this.#recent, ...records]);
  }

  /** Whether the rest after the last newline is the end, and not an earlier line that looks the same. */
  isRestEnd(rest: LogRecord, end: LogEnd): boolean {
    const same = twinsOf(end);
    if (!isEnd(rest, end) || (!end.last.partial && !this.#standsBefore(end))) return false;
    return same < 2 || countSame(recentOf([...this.#recent, rest]), end.last) >= same;
  }

  /**
   * Whether the last line read is the one before the end. A cut part of an earlier line may look like a whole
   * last one of the same time.
   */
  #standsBefore({ lines }: LogEnd): boolean {
    const [before, last] = [lines.at(-2), this.#recent.at(-1)];
    if (before === undefined || last === undefined) return lines.length === 1 && last === undefined;
    return isSameRecord(before, last);
  }

  /**
   * The lines of a probe that come after all that the present answer had, if it is certain which they are: the last
   * lines read occur among them at one place only. Undefined if it is not. Without it, containers that grow are read
   * once more (window/behaviour-windows.test.ts).
   */
  linesAfter(end: LogEnd): readonly LogRecord[] | undefined {
    if (end.last.partial) return undefined;
    const indexes = end.lines.flatMap((_, index) => (this.#agreesAt(end.lines, index) ? [index] : []));
    return indexes.length === 1 ? end.lines.slice(indexes[0]! + 1) : undefined;
  }

  #agreesAt(lines: readonly LogRecord[], index: number): boolean {
    const recent = this.#recent;
    const overlap = Math.min(recent.length, index + 1);
    if (overlap < MIN_OVERLAP) return false;
    for (let back = 0; back < overlap; back++) {
      if (!isSameRecord(lines[index - back]!, recent[recent.length - 1 - back]!)) return false;
    }
    return compareTimestamps(lines[index - overlap + 1]!.at, lines[index]!.at) < 0;
  }

  /** From now on `isAtEnd` returns whether this end was read. */
  setBound(end: LogEnd): void {
    this.#bound = end;
    this.#hasTwins = twinsOf(end) > end.copies;
    this.#reached = false;
    this.#check();
  }

  /**
   * Whether the answer, with the rest after its last newline, reached the end that the log had at the
   * request: the bound was read, or as many whole lines came as were requested. A line is at least one entry,
   * so then the last entries are complete, and nothing was cut off.
   */
  isAtEnd(rest: LogRecord | undefined): boolean {
    return this.#reached || (rest === undefined && this.#lacking <= 0);
  }

  #check(): void {
    const bound = this.#bound;
    if (bound === undefined || this.#last === undefined || this.#reached) return;
    // A line with its end is not the one without: that is no line here, but the rest of its answer.
    if (bound.last.partial) return;
    this.#reached =
      this.#copies >= bound.copies &&
      isEnd(this.#last, bound) &&
      (!this.#hasTwins || countSame(this.#recent, bound.last) >= twinsOf(bound));
  }
}

/** The last few lines, as far as none of them is large. */
function recentOf(lines: readonly LogRecord[]): LogRecord[] {
  const recent = lines.slice(-RECENT_LINES);
  const large = recent.findLastIndex(({ message }) => message.length > RECENT_BYTES);
  return recent.slice(large + 1);
}

function countSame(lines: readonly LogRecord[], record: LogRecord): number {
  return lines.filter((line) => isSameRecord(line, record)).length;
}

/**
 * How many of the last few lines are the same as the very last: a read that is cut at one of them looks complete
 * (behaviour-hazards.test.ts).
 */
function twinsOf(end: LogEnd): number {
  return countSame(recentOf(end.lines), end.last);
}
