import type { FollowedLog, OpenedLog } from './follow.ts';
import { type EntriesRead, type EntryReading, readEntries } from './read-entries.ts';

const READ_BYTES = 128 * 1024;
/** A follow at the end of the file mostly gets a line or two at a time, and there may be thousands of follows. */
const LIVE_READ_BYTES = 2 * 1024;
/** A follow sends entry by entry, unless more than this arrives at once. */
const BURST_BYTES = 16 * 1024;
const NO_LIMIT = Number.POSITIVE_INFINITY;

export interface BodyOptions {
  readonly opened: OpenedLog;
  readonly start: number;
  /** The length of the file when it was opened: a short log does not need a full-size buffer. */
  readonly size: number;
  readonly reading: EntryReading;
  readonly signal: AbortSignal;
}

/** Returns a body that releases its resources when the consumer has read or abandoned it, or when the signal aborts. */
export function releasedBody(
  body: AsyncGenerator<Uint8Array, void, undefined>,
  release: () => Promise<void>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const giveUp = () => void release();
  signal.addEventListener('abort', giveUp, { once: true });
  async function* read(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* body;
    } finally {
      signal.removeEventListener('abort', giveUp);
      await release();
    }
  }
  return read();
}

/** Yields the response's bytes in chunks as they are read; the consumer's pull is the back-pressure. */
export function logBody(options: BodyOptions): AsyncGenerator<Uint8Array, void, undefined> {
  return new BodyReader(options).chunks();
}

class BodyReader {
  readonly #opened: OpenedLog;
  readonly #reading: EntryReading;
  readonly #signal: AbortSignal;
  #position: number;
  #buffer: Buffer;
  /** Bytes at the start of the buffer: an entry without its end. */
  #kept = 0;
  /** Whether a follow has reached the end of the file. */
  #isLive = false;

  constructor({ opened, start, size, reading, signal }: BodyOptions) {
    this.#opened = opened;
    this.#reading = reading;
    this.#signal = signal;
    this.#position = start;
    this.#buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, Math.max(LIVE_READ_BYTES, size - start + 1)));
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    const { follow } = this.#opened;
    while (!this.#signal.aborted && this.#wantsMore()) {
      const room = this.#room();
      const bytesRead = room > 0 ? await this.#read(room) : 0;
      for (const body of this.#take(bytesRead, bytesRead === room)) yield body;
      if (this.#reading.format === 'unknown') return;
      if (!this.#isAtEnd(bytesRead, room)) continue;
      if (follow !== undefined && (await this.#goOn(follow))) continue;
      if (follow === undefined) yield* this.#takeUnterminated();
      return;
    }
  }

  #wantsMore(): boolean {
    return this.#reading.entriesLeft > 0 && this.#reading.bytesLeft > 0;
  }

  /** Returns how many bytes may be read now; a rotated file ends where it ended at the rotation. */
  #room(): number {
    const untilEnd = (this.#opened.follow?.endOfFile() ?? NO_LIMIT) - this.#position;
    return Math.min(this.#buffer.length - this.#kept, untilEnd);
  }

  /**
   * Reads bytes. Newly written data is in the page cache, and waiting for a thread to read it would cost ten times as
   * much.
   */
  async #read(room: number): Promise<number> {
    const { file } = this.#opened;
    if (this.#isLive) return file.readNow(this.#buffer, this.#kept, room, this.#position);
    return (await file.read(this.#buffer, this.#kept, room, this.#position)).bytesRead;
  }

  /** Yields the bodies of the entries that are now complete. */
  *#take(bytesRead: number, wasFilled: boolean): Iterable<Uint8Array> {
    if (bytesRead <= 0) return;
    this.#position += bytesRead;
    const end = this.#kept + bytesRead;
    const perChunk = this.#isLive && bytesRead < BURST_BYTES ? 1 : NO_LIMIT;
    let done = 0;
    for (const read of takeEntries(this.#buffer, end, this.#reading, perChunk)) {
      done = read.end;
      if (read.body.length > 0) yield read.body;
    }
    if (this.#reading.format === 'unknown') yield formatError(this.#reading);
    this.#kept = end - done;
    this.#buffer = bufferFor(this.#buffer, done, end, wasFilled);
  }

  /**
   * Whether the file's end is reached. A live read shorter than its room has reached it; others read until nothing is
   * left.
   */
  #isAtEnd(bytesRead: number, room: number): boolean {
    if (bytesRead <= 0) return true;
    const isRotated = this.#opened.follow?.endOfFile() !== undefined;
    return this.#isLive && bytesRead < room && !isRotated && this.#wantsMore();
  }

  /** Yields an entry without a newline unchanged, as the kubelet does. */
  *#takeUnterminated(): Iterable<Uint8Array> {
    this.#reading.unterminated = true;
    const last = Buffer.concat([this.#buffer.subarray(0, this.#kept), Buffer.from('\n')]);
    const { body } = readEntries(last, 0, last.length, this.#reading);
    if (body.length > 0) yield body;
    if (this.#kept > 0 && this.#reading.format === 'unknown') yield formatError(this.#reading);
  }

  /** Opens the next file after a rotation, or waits for more; returns false when nothing more will come. */
  async #goOn(follow: FollowedLog): Promise<boolean> {
    if (follow.endOfFile() === undefined) {
      if (!this.#isLive) this.#buffer = shrink(this.#buffer, this.#kept);
      this.#isLive = true;
      return (await follow.wait()) !== 'end';
    }
    await this.#opened.file.close();
    const next = await follow.openNext();
    if (next === undefined) return false;
    this.#opened.file = next;
    this.#position = 0;
    this.#kept = 0;
    return true;
  }
}

/** Makes the kubelet's error for a file that is not a log, as text after the 200 that it has already sent. */
function formatError(reading: EntryReading): Buffer {
  return Buffer.from(
    `failed to get parse function: unsupported log format: ${JSON.stringify(reading.unknownLine)}`,
  );
}

function* takeEntries(
  buffer: Buffer,
  end: number,
  reading: EntryReading,
  perChunk: number,
): Generator<EntriesRead> {
  for (let done = 0; done < end; ) {
    const read = readEntries(buffer, done, end, reading, perChunk);
    if (read.end === done) return;
    done = read.end;
    yield read;
  }
}

/** Moves the rest to the start. Grows a buffer that a read filled; above READ_BYTES, only for one long entry. */
function bufferFor(buffer: Buffer, done: number, end: number, wasFilled: boolean): Buffer {
  const kept = end - done;
  const mustGrow = kept === buffer.length || (wasFilled && buffer.length < READ_BYTES);
  if (!mustGrow) {
    buffer.copyWithin(0, done, end);
    return buffer;
  }
  const grown = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(grown, 0, done, end);
  return grown;
}

function shrink(buffer: Buffer, kept: number): Buffer {
  const small = Buffer.allocUnsafe(Math.max(LIVE_READ_BYTES, kept * 2));
  buffer.copy(small, 0, 0, kept);
  return small;
}
