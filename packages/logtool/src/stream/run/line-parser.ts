import { ProblemError } from '@logtool/kube/src/values/problems.ts';
import type { LogRecord, Run } from '../../domain/record.ts';

/** Longer lines are truncated, and the truncation is counted: this alone bounds the memory for a hostile log. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * A body that does not consist of timestamped lines: the kubelet writes its failures as text with status 200
 * (test/recorded/pods-log/log-file-missing.json, runtime-just-restarted.json), even after lines already sent.
 */
export class BodyError extends ProblemError {
  readonly text: string;

  constructor(text: string) {
    super({ code: 'no-log', data: { text } });
    this.name = 'BodyError';
    this.text = text;
  }

  /** It is no text of the kubelet, but what a body leaves that was cut within a timestamp. */
  get isCutTimestamp(): boolean {
    return this.text.length < MAX_PREFIX && [...this.text].every((sign) => TIMESTAMP_SIGNS.includes(sign));
  }
}

const TIMESTAMP_SIGNS = '0123456789-:.+TZ ';

const LF = 10;
const BLANK = 32;
const ZERO = 48;
const NINE = 57;
const DOT = 46;
const Z = 90;
const PLUS = 43;
const MINUS = 45;
/** `2026-11-21T10:00:00` */
const SECOND_LENGTH = 19;
/** Nine digits and an offset, with the blank after it. */
const MAX_PREFIX = SECOND_LENGTH + 10 + 6 + 1;
/** Nanoseconds of the last of this many digits after the point. */
const FRACTION_UNITS = [1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 100, 10, 1];
const NO_BYTES = new Uint8Array(0);
/** `2026-11-21` */
const DAY_LENGTH = 10;
/** Each `0` stands for any digit. */
const SECOND_SHAPE = Buffer.from('0000-00-00T00:00:00');

/**
 * The rest of a line without its start. The node gives a timestamp only to the first fragment of a long line, and
 * compares each fragment with the time of the request; so an answer may begin inside a line that began earlier.
 */
export interface Fragment {
  readonly text: string;
  /** It has no newline, like a failure that the node wrote as text. */
  readonly isOpen: boolean;
}

export interface LineParserOptions {
  readonly maxLineBytes?: number;
  /** The log was requested from a time on: lines may lack their start. */
  readonly mayLackStarts?: boolean;
  /** Gets the line without its start at the beginning of the body; the bytes are valid during the call. */
  readonly onFirstLeftOut?: (line: Uint8Array) => void;
}

/**
 * Parses the chunks of a log body with timestamps=true into records. Parses only line starts; messages are views into
 * the chunks (copy what is kept). Chunk edges may be anywhere. One parser reads one body.
 */
export class LineParser {
  readonly #source: Run;
  readonly #counter: { seq: number };
  readonly #maxLineBytes: number;
  readonly #mayLackStarts: boolean;
  readonly #onFirstLeftOut: ((line: Uint8Array) => void) | undefined;
  readonly #firstSeq: number;
  /** The last line without its start, and the number of the record after it. */
  #fragment: { readonly value: Fragment; readonly nextSeq: number } | undefined;
  #pieces: Uint8Array[] = [];
  #held = 0;
  /** Number of lines that exceeded the limit and lost their end. */
  cutLines = 0;
  #second = new Uint8Array(SECOND_LENGTH);
  #midnightSeconds = Number.NaN;
  #localSeconds = Number.NaN;
  #nanos = 0;
  #offsetSeconds = 0;

  /** `counter` numbers the records; share one among the bodies of one walk. */
  constructor(source: Run, counter: { seq: number }, options: LineParserOptions = {}) {
    this.#source = source;
    this.#counter = counter;
    this.#maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
    this.#mayLackStarts = options.mayLackStarts === true;
    this.#onFirstLeftOut = options.onFirstLeftOut;
    this.#firstSeq = counter.seq;
  }

  /**
   * Appends the records that are complete now, at most `most` of them, and returns the offset in the chunk from which
   * to continue with the next call: its length if the whole chunk is taken. Throws BodyError at a line without a
   * leading timestamp. If lines may lack their start, it skips one: its record began before the requested time. Two in
   * a row are not a log.
   */
  push(chunk: Uint8Array, out: LogRecord[], from = 0, most = Number.POSITIVE_INFINITY): number {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const full = out.length + most;
    let start = from;
    if (this.#pieces.length > 0) {
      const end = bytes.indexOf(LF, start);
      if (end === -1) {
        this.#hold(bytes, start);
        return bytes.length;
      }
      this.#hold(bytes.subarray(start, end), 0);
      const line = this.#takeHeld();
      this.#append(out, line, 0, line.length);
      start = end + 1;
    }
    while (out.length < full) {
      const end = bytes.indexOf(LF, start);
      if (end === -1) {
        if (start < bytes.length) this.#hold(bytes, start);
        return bytes.length;
      }
      this.#append(out, bytes, start, end);
      start = end + 1;
    }
    return start;
  }

  /**
   * Ends the body: returns the unterminated last line, which is a record only if the run is known to have ended. Throws
   * BodyError if the rest is not a log line, and cannot be part of a line without its start.
   */
  end(): LogRecord | undefined {
    if (this.#pieces.length === 0) return undefined;
    const line = this.#takeHeld();
    const record = this.#recordAt(line, 0, line.length);
    if (record === undefined) this.#leaveOut(line, true);
    return record && { ...record, partial: true };
  }

  /** The line without its start that came last. */
  get fragment(): Fragment | undefined {
    return this.#fragment?.nextSeq === this.#counter.seq ? this.#fragment.value : undefined;
  }

  #append(out: LogRecord[], bytes: Uint8Array, start: number, end: number): void {
    const record = this.#recordAt(bytes, start, end);
    if (record === undefined) this.#leaveOut(bytes.subarray(start, end), false);
    else out.push(record);
  }

  #leaveOut(line: Uint8Array, isOpen: boolean): void {
    if (!this.#mayLackStarts) throw new BodyError(textOf(line));
    // The first one shows better what the body is.
    if (this.fragment !== undefined) throw new BodyError(this.fragment.text);
    if (this.#counter.seq === this.#firstSeq) this.#onFirstLeftOut?.(line);
    const value = { text: textOf(line), isOpen };
    this.#fragment = { value, nextSeq: this.#counter.seq };
  }

  #hold(bytes: Uint8Array, start: number): void {
    // One more than allowed, so that the truncation is detected.
    const room = this.#maxLineBytes + MAX_PREFIX + 1 - this.#held;
    // An empty piece would keep its whole chunk alive.
    if (room > 0) this.#pieces.push(bytes.subarray(start, start + room));
    this.#held += bytes.length - start;
    if (this.#pieces.length === 1 || this.#held < MAX_PREFIX * 4) this.#checkEarly();
  }

  /** Refuses a body of plain text as soon as its start cannot be a timestamp, since it may never have a newline. */
  #checkEarly(): void {
    if (this.#held < MAX_PREFIX || this.#mayLackStarts) return;
    const start = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    if (this.#parsePrefix(start, 0, start.length) === -1) throw new BodyError(textOf(start));
  }

  #takeHeld(): Uint8Array {
    const line = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#held = 0;
    return line;
  }

  /** Returns the record of a line; undefined if the line does not begin with a timestamp. */
  #recordAt(bytes: Uint8Array, start: number, end: number): LogRecord | undefined {
    const message = this.#parsePrefix(bytes, start, end);
    if (message === -1) return undefined;
    let stop = end;
    if (end - message > this.#maxLineBytes) {
      stop = message + this.#maxLineBytes;
      this.cutLines++;
    }
    return {
      run: this.#source,
      at: { seconds: this.#localSeconds - this.#offsetSeconds, nanos: this.#nanos },
      seq: this.#counter.seq++,
      // Constructed directly: subarray() costs twice as much.
      message:
        message === stop
          ? NO_BYTES
          : new Uint8Array(bytes.buffer, bytes.byteOffset + message, stop - message),
      partial: false,
      late: false,
    };
  }

  /** Reads the timestamp at `start`; returns the offset of the message, or -1. */
  #parsePrefix(bytes: Uint8Array, start: number, end: number): number {
    if (end - start < SECOND_LENGTH + 1) return -1;
    if (!this.#sameSecond(bytes, start) && !this.#newSecond(bytes, start)) return -1;
    let at = start + SECOND_LENGTH;
    if (bytes[at] === DOT) {
      at = this.#parseFraction(bytes, at + 1, end);
      if (at === -1) return -1;
    } else this.#nanos = 0;
    if (bytes[at] === Z) {
      this.#offsetSeconds = 0;
      at++;
    } else {
      const offset = readOffset(bytes, at, end);
      if (offset === undefined) return -1;
      this.#offsetSeconds = offset;
      at += 6;
    }
    if (at >= end) return end;
    return bytes[at] === BLANK ? at + 1 : -1;
  }

  /** Reads the digits after the point; returns their end, or -1. */
  #parseFraction(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    let nanos = 0;
    for (; at < end; at++) {
      const digit = bytes[at]!;
      if (digit < ZERO || digit > NINE) break;
      // No server writes more digits, and the result would depend on how many have arrived.
      if (at - start === 9) return -1;
      nanos = nanos * 10 + (digit - ZERO);
    }
    if (at === start) return -1;
    this.#nanos = nanos * FRACTION_UNITS[at - start]!;
    return at;
  }

  #sameSecond(bytes: Uint8Array, start: number): boolean {
    const second = this.#second;
    // From the end: within a log the digits of the second change first.
    for (let index = SECOND_LENGTH - 1; index >= 0; index--) {
      if (bytes[start + index] !== second[index]) return false;
    }
    return true;
  }

  #newSecond(bytes: Uint8Array, start: number): boolean {
    for (let index = 0; index < SECOND_LENGTH; index++) {
      const byte = bytes[start + index]!;
      const sign = SECOND_SHAPE[index]!;
      if (sign === ZERO ? byte < ZERO || byte > NINE : byte !== sign) return false;
    }
    const two = (at: number) => bytes[start + at]! * 10 + bytes[start + at + 1]! - ZERO * 11;
    const [month, day, hour, minute, second] = [two(5), two(8), two(11), two(14), two(17)];
    if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60)
      return false;
    if (!this.#sameDay(bytes, start)) {
      // Date.UTC maps the years 0 to 99 to the 20th century, and Go's zero time is in the year 1.
      this.#midnightSeconds = new Date(0).setUTCFullYear(two(0) * 100 + two(2), month - 1, day) / 1000;
    }
    this.#localSeconds = this.#midnightSeconds + hour * 3600 + minute * 60 + second;
    for (let index = 0; index < SECOND_LENGTH; index++) this.#second[index] = bytes[start + index]!;
    return true;
  }

  #sameDay(bytes: Uint8Array, start: number): boolean {
    for (let index = DAY_LENGTH - 1; index >= 0; index--) {
      if (bytes[start + index] !== this.#second[index]) return false;
    }
    return true;
  }
}

/** Reads `+05:30` in seconds; undefined if it is not an offset. */
function readOffset(bytes: Uint8Array, at: number, end: number): number | undefined {
  const sign = bytes[at];
  if ((sign !== PLUS && sign !== MINUS) || end - at < 6 || bytes[at + 3] !== 58) return undefined;
  const digits = [bytes[at + 1]!, bytes[at + 2]!, bytes[at + 4]!, bytes[at + 5]!].map(
    (digit) => digit - ZERO,
  );
  if (digits.some((digit) => digit < 0 || digit > 9)) return undefined;
  const seconds = (digits[0]! * 10 + digits[1]!) * 3600 + (digits[2]! * 10 + digits[3]!) * 60;
  return sign === MINUS ? -seconds : seconds;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 1024)).toString('utf8').trimEnd();
}

/** Copies a record's message out of the chunk that it is a view of, for records that are kept for longer. */
export function detach(record: LogRecord): LogRecord {
  return { ...record, message: record.message.slice() };
}

/** Whether two messages have the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}
