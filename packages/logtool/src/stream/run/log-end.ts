import { KubeError } from '@logtool/kube/src/errors.ts';
import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../read-context.ts';
import { detach, LineParser, sameBytes } from './line-parser.ts';
import type { RunAddress } from './run-address.ts';
import { logQuery } from './run-address.ts';

/** A joined line is told from one of its fragments by being longer than any line that fits into one read of a pipe. */
const FRAGMENT_BYTES = 4096;
const FIRST_ASK = 16;
/** Lines kept of what was read, to find its end among the lines of a probe. */
const RECENT_LINES = 8;
/** Longer lines are not kept for that. */
const RECENT_BYTES = 4096;
/** Fewer lines that agree might be others that look the same. */
const LEAST_OVERLAP = 3;
const LARGEST_ASK = 8192;

/** How a log ended at the moment when it was asked for. */
export interface LogEnd {
  readonly last: LogRecord;
  /** How many times that very record (time and bytes) stands at the end. */
  readonly copies: number;
  /** The answer began with it, so it may be the end of a long line that was cut in fragments. */
  readonly mayBeFragment: boolean;
  /** The last lines up to `last`, whole but for the first one; empty where they are not certain. */
  readonly lines: readonly LogRecord[];
}

/**
 * Asks a log for its last lines: a clean end of a body may be a cut, and only this tells whether a read reached the
 * end. Undefined when the answer was empty. Throws what client.log and the body throw.
 */
export async function probeEnd(context: ReadContext, run: RunAddress): Promise<LogEnd | undefined> {
  for (let ask = FIRST_ASK; ; ask *= 8) {
    const lines = await readLast(context, run, ask);
    const last = lines.at(-1);
    if (last === undefined) return undefined;
    let copies = 1;
    while (copies < lines.length && isSameRecord(lines[lines.length - 1 - copies]!, last)) copies++;
    // Fewer lines than asked for: the log is as short, or they are fragments of one line, or the answer was cut.
    if (lines.length < ask || last.partial) return confirmLast(context, run, lines, copies);
    if (copies < lines.length || ask >= LARGEST_ASK) return { last, copies, mayBeFragment: false, lines };
  }
}

/**
 * The very last entry alone cannot be cut without showing it. Throws what is worth another try when an answer was cut.
 */
async function confirmLast(
  context: ReadContext,
  run: RunAddress,
  lines: readonly LogRecord[],
  copies: number,
): Promise<LogEnd | undefined> {
  const seen = lines.at(-1)!;
  const [last] = await readLast(context, run, 1);
  if (last === undefined) return undefined;
  const isWhole = lines.length > 1 || seen.message.length < FRAGMENT_BYTES;
  if (isSameRecord(last, seen) && last.partial === seen.partial) {
    return { last: seen, copies, mayBeFragment: !isWhole, lines };
  }
  if (isFragmentOf(last, seen) && last.partial === seen.partial) {
    return { last: seen, copies: 1, mayBeFragment: !isWhole, lines };
  }
  // The log has grown in between.
  if (!last.partial) return { last, copies: 1, mayBeFragment: true, lines: [] };
  throw new KubeError({ kind: 'connection', message: 'the answer ended in the middle of a line' });
}

/** At most so many lines, also where whoever answers does not count them and gives the whole log. */
async function readLast(context: ReadContext, run: RunAddress, tailLines: number): Promise<LogRecord[]> {
  const parser = new LineParser(run.source, { seq: 0 });
  let lines: LogRecord[] = [];
  const response = await context.client.log(logQuery(run, { tailLines }), { signal: context.signal });
  for await (const chunk of response.body) {
    parser.push(chunk, lines);
    if (lines.length > tailLines) lines = lines.slice(-tailLines);
  }
  const rest = parser.end();
  if (rest !== undefined) lines.push(rest);
  return lines.slice(-tailLines).map(detach);
}

export function isSameRecord(a: LogRecord, b: LogRecord): boolean {
  return compareTimestamps(a.at, b.at) === 0 && sameBytes(a.message, b.message);
}

/** Whether a record that was read is the last line that the probe saw, whole or by its last fragment. */
function isEnd(record: LogRecord, end: LogEnd): boolean {
  return isSameRecord(record, end.last) || (end.mayBeFragment && isFragmentOf(end.last, record));
}

function isFragmentOf(end: LogRecord, line: LogRecord): boolean {
  return end.message.length > 0 && isCutFrom(line, end);
}

/** Whether a record may be all that an answer had of a long line: its last fragments, which may be empty. */
export function isCutFrom(line: LogRecord, end: LogRecord): boolean {
  return (
    line.message.length - end.message.length >= FRAGMENT_BYTES &&
    compareTimestamps(line.at, end.at) <= 0 &&
    endsWith(line.message, end.message)
  );
}

function endsWith(bytes: Uint8Array, end: Uint8Array): boolean {
  return bytes.length >= end.length && sameBytes(bytes.subarray(bytes.length - end.length), end);
}

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
      // Only the last line matters: count its copies from behind.
      const last = records.at(-1);
      if (last === undefined) return;
      let copies = 1;
      while (copies < records.length && isSameRecord(records[records.length - 1 - copies]!, last)) copies++;
      const goesOn = copies === records.length && this.#last !== undefined && isSameRecord(this.#last, last);
      this.#copies = goesOn ? this.#copies + copies : copies;
      this.#last = last;
      return;
    }
    for (const record of records) {
      if (this.#hasTwins) this.#keepRecent([record]);
      this.#copies = this.#last !== undefined && isSameRecord(this.#last, record) ? this.#copies + 1 : 1;
      this.#last = record;
      this.#check();
    }
  }

  #keepRecent(records: readonly LogRecord[]): void {
    const isEnough = records.length >= RECENT_LINES;
    this.#recent = recentOf(isEnough ? records : [...this.#recent, ...records]);
  }

  /** Whether what is left behind the last newline is the end, and no line in front of it that looks the same. */
  isRestEnd(rest: LogRecord, end: LogEnd): boolean {
    const same = twinsOf(end);
    if (!isEnd(rest, end) || (!end.last.partial && !this.#standsInFront(end))) return false;
    return same < 2 || countSame(recentOf([...this.#recent, rest]), end.last) >= same;
  }

  /**
   * Whether the last line read is the one in front of the end. What is cut of an earlier line may look like a whole
   * last one of the same time.
   */
  #standsInFront({ lines }: LogEnd): boolean {
    const [before, last] = [lines.at(-2), this.#recent.at(-1)];
    if (before === undefined || last === undefined) return lines.length === 1 && last === undefined;
    return isSameRecord(before, last);
  }

  /**
   * The lines of a probe that lie behind all that the present answer had, where it is certain which they are: the last
   * lines read stand among them at one place only. Undefined where it is not.
   */
  linesBehind(end: LogEnd): readonly LogRecord[] | undefined {
    if (end.last.partial) return undefined;
    const places = end.lines.flatMap((_, place) => (this.#agreesAt(end.lines, place) ? [place] : []));
    return places.length === 1 ? end.lines.slice(places[0]! + 1) : undefined;
  }

  #agreesAt(lines: readonly LogRecord[], place: number): boolean {
    const recent = this.#recent;
    const overlap = Math.min(recent.length, place + 1);
    if (overlap < LEAST_OVERLAP) return false;
    for (let back = 0; back < overlap; back++) {
      if (!isSameRecord(lines[place - back]!, recent[recent.length - 1 - back]!)) return false;
    }
    return compareTimestamps(lines[place - overlap + 1]!.at, lines[place]!.at) < 0;
  }

  /** From now on `reached` tells whether this end was read. */
  setBound(end: LogEnd): void {
    this.#bound = end;
    this.#hasTwins = twinsOf(end) > end.copies;
    this.#reached = false;
    this.#check();
  }

  get reached(): boolean {
    return this.#reached;
  }

  /**
   * Whether the answer, with what is left behind its last newline, went to the end that the log had when it was asked
   * for: the bound was read, or as many whole lines came as were asked for. A line is at least one entry, so then the
   * last entries are all there, and nothing was cut off.
   */
  isAtEnd(rest: LogRecord | undefined): boolean {
    return this.#reached || (rest === undefined && this.#lacking <= 0);
  }

  get bound(): LogEnd | undefined {
    return this.#bound;
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

/** How many of the last few lines are the same as the very last: a read that is cut at one of them looks complete. */
function twinsOf(end: LogEnd): number {
  return countSame(recentOf(end.lines), end.last);
}
