import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import { copiesAtEnd, isEnd, isSameRecord, type LogEnd } from './log-end.ts';

/** Lines of the read to keep, to find its end among the lines of a probe. */
const RECENT_LINES = 8;
/** Longer lines are not kept for that. */
const RECENT_BYTES = 4096;
/** Fewer matching lines might be different lines that look alike. */
const MIN_OVERLAP = 3;

/**
 * Watches the lines of successive answers, in file order, for the end that a probe saw. Keeps the last few lines as
 * views of their chunks: copying them, batch by batch, takes longer than finding the line ends.
 */
export class EndTracker {
  #last: LogRecord | undefined;
  #copies = 0;
  #bound: LogEnd | undefined;
  #reached = false;
  #recent: LogRecord[] = [];
  /** Identical lines exist near the bound. */
  #hasTwins = false;
  /** Lines that the current answer still lacks of the requested number. */
  #lacking = Number.POSITIVE_INFINITY;

  /**
   * Begins another answer: it may begin with lines that the previous one ended with. `tailLines`: the requested number
   * of lines, if the request has no other limit.
   */
  beginAnswer(tailLines: number | undefined): void {
    this.#lacking = tailLines ?? Number.POSITIVE_INFINITY;
    this.#last = undefined;
    this.#copies = 0;
    this.#recent = [];
  }

  /** Whether the current answer has any lines. */
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

  /** Counts copies of the last line from the end: while no end is known, only the last line matters. */
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
   * Whether the last line read directly precedes the end. A fragment of an earlier line may look like a complete last
   * one of the same time.
   */
  #standsBefore({ lines }: LogEnd): boolean {
    const [before, last] = [lines.at(-2), this.#recent.at(-1)];
    if (before === undefined || last === undefined) return lines.length === 1 && last === undefined;
    return isSameRecord(before, last);
  }

  /**
   * Returns the lines of a probe that follow all lines of the current answer, if they are certain: the last lines read
   * occur among them at exactly one position. Undefined otherwise. Without this, containers that grow would be read
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

  /** Sets the end for which `isAtEnd` from now on returns whether it was read. */
  setBound(end: LogEnd): void {
    this.#bound = end;
    this.#hasTwins = twinsOf(end) > end.copies;
    this.#reached = false;
    this.#check();
  }

  /**
   * Whether the answer, with the rest after its last newline, reached the end that the log had at the request: the
   * bound was read, or the requested number of complete lines arrived. A line is at least one entry, so then the last
   * entries are complete, and nothing was truncated.
   */
  isAtEnd(rest: LogRecord | undefined): boolean {
    return this.#reached || (rest === undefined && this.#lacking <= 0);
  }

  #check(): void {
    const bound = this.#bound;
    if (bound === undefined || this.#last === undefined || this.#reached) return;
    // A terminated line differs from the unterminated one, which is not a line here, but the rest of its answer.
    if (bound.last.partial) return;
    this.#reached =
      this.#copies >= bound.copies &&
      isEnd(this.#last, bound) &&
      (!this.#hasTwins || countSame(this.#recent, bound.last) >= twinsOf(bound));
  }
}

/** Returns the last few lines, after the last large one. */
function recentOf(lines: readonly LogRecord[]): LogRecord[] {
  const recent = lines.slice(-RECENT_LINES);
  const large = recent.findLastIndex(({ message }) => message.length > RECENT_BYTES);
  return recent.slice(large + 1);
}

function countSame(lines: readonly LogRecord[], record: LogRecord): number {
  return lines.filter((line) => isSameRecord(line, record)).length;
}

/**
 * Counts how many of the last few lines equal the very last: a read that breaks off at one of them looks complete
 * (behaviour-hazards.test.ts).
 */
function twinsOf(end: LogEnd): number {
  return countSame(recentOf(end.lines), end.last);
}
