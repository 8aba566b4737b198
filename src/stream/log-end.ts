import type { LogRecord } from '../domain/record.ts';
import { compareTimestamps } from '../domain/timestamp.ts';
import { detach, LineParser, sameBytes } from './line-parser.ts';
import type { ReadContext } from './read-context.ts';
import type { RunAddress } from './run-address.ts';
import { logQuery } from './run-address.ts';

/** A joined line is told from one of its fragments by being longer than any line that fits into one read of a pipe. */
const FRAGMENT_BYTES = 4096;
const FIRST_ASK = 2;
const LARGEST_ASK = 8192;

/** How a log ended at the moment when it was asked for. */
export interface LogEnd {
  readonly last: LogRecord;
  /** How many times that very record (time and bytes) stands at the end. */
  readonly copies: number;
  /** The answer began with it, so it may be the end of a long line that was cut in fragments. */
  readonly mayBeFragment: boolean;
}

/**
 * Asks a log for its last lines: a clean end of a body may be a cut, and only this tells whether a read reached the
 * end. Undefined when the answer was empty, or cut itself. Throws what client.log and the body throw.
 */
export async function probeEnd(context: ReadContext, run: RunAddress): Promise<LogEnd | undefined> {
  for (let ask = FIRST_ASK; ; ask *= 8) {
    const lines = await readLast(context, run, ask);
    const last = lines.at(-1);
    if (last === undefined) return undefined;
    let copies = 1;
    while (copies < lines.length && isSameRecord(lines[lines.length - 1 - copies]!, last)) copies++;
    // Fewer lines than asked for: the log is as short, or they are fragments of one line, or the answer was cut.
    if (lines.length < ask) return confirmLast(context, run, last, copies);
    if (copies < lines.length || ask >= LARGEST_ASK) return { last, copies, mayBeFragment: false };
  }
}

/** The very last entry alone cannot be cut without showing it. */
async function confirmLast(
  context: ReadContext,
  run: RunAddress,
  seen: LogRecord,
  copies: number,
): Promise<LogEnd | undefined> {
  const [last] = await readLast(context, run, 1);
  if (last === undefined) return undefined;
  const isSame = isSameRecord(last, seen);
  if (last.partial && !isSame && !endsWith(seen.message, last.message)) return undefined;
  return { last, copies: isSame ? copies : 1, mayBeFragment: true };
}

async function readLast(context: ReadContext, run: RunAddress, tailLines: number): Promise<LogRecord[]> {
  const parser = new LineParser(run.source, { seq: 0 });
  const lines: LogRecord[] = [];
  const response = await context.client.log(logQuery(run, { tailLines }), { signal: context.signal });
  for await (const chunk of response.body) parser.push(chunk, lines);
  const rest = parser.end();
  if (rest !== undefined) lines.push(rest);
  return lines.map(detach);
}

export function isSameRecord(a: LogRecord, b: LogRecord): boolean {
  return compareTimestamps(a.at, b.at) === 0 && sameBytes(a.message, b.message);
}

/** Whether a record that was read is the last line that the probe saw, whole or by its last fragment. */
export function isEnd(record: LogRecord, end: LogEnd): boolean {
  if (isSameRecord(record, end.last)) return true;
  const { message, at } = end.last;
  return (
    end.mayBeFragment &&
    record.message.length - message.length >= FRAGMENT_BYTES &&
    compareTimestamps(record.at, at) <= 0 &&
    endsWith(record.message, message)
  );
}

function endsWith(bytes: Uint8Array, end: Uint8Array): boolean {
  return bytes.length >= end.length && sameBytes(bytes.subarray(bytes.length - end.length), end);
}

/** Watches the lines of one answer after the other, in file order, for the end that a probe saw. */
export class EndTracker {
  #last: LogRecord | undefined;
  #copies = 0;
  #bound: LogEnd | undefined;
  #reached = false;

  /** Lines of another answer follow: they may begin with some that the one before ended with. */
  beginAnswer(): void {
    this.#last = undefined;
    this.#copies = 0;
  }

  /** Whether the present answer has any. */
  get hasLines(): boolean {
    return this.#last !== undefined;
  }

  note(records: readonly LogRecord[]): void {
    if (this.#bound === undefined) {
      // Only the last line matters: count its copies from behind.
      const last = records.at(-1);
      if (last === undefined) return;
      let copies = 1;
      while (copies < records.length && isSameRecord(records[records.length - 1 - copies]!, last)) copies++;
      const goesOn = copies === records.length && this.#last !== undefined && isSameRecord(this.#last, last);
      this.#copies = goesOn ? this.#copies + copies : copies;
      this.#last = detach(last);
      return;
    }
    for (const record of records) {
      this.#copies = this.#last !== undefined && isSameRecord(this.#last, record) ? this.#copies + 1 : 1;
      this.#last = record;
      this.#check();
    }
    if (this.#last !== undefined) this.#last = detach(this.#last);
  }

  /** From now on `reached` tells whether this end was read. */
  setBound(end: LogEnd): void {
    this.#bound = end;
    this.#reached = false;
    this.#check();
  }

  get reached(): boolean {
    return this.#reached;
  }

  get bound(): LogEnd | undefined {
    return this.#bound;
  }

  #check(): void {
    const bound = this.#bound;
    if (bound === undefined || this.#last === undefined || this.#reached) return;
    this.#reached = this.#copies >= bound.copies && isEnd(this.#last, bound);
  }
}
