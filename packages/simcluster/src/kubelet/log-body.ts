import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { FollowedLog } from './follow.ts';
import { type EntriesRead, type EntryReading, readEntries } from './read-entries.ts';

const READ_BYTES = 128 * 1024;
/** A follow that has caught up mostly gets a line or two at a time, and there may be thousands of follows. */
const LIVE_READ_BYTES = 2 * 1024;
/** A follow answers entry by entry as long as no more than this came at once. */
const BURST_BYTES = 16 * 1024;
const NO_LIMIT = Number.POSITIVE_INFINITY;

/** An open log file; it changes when a follow goes on in the next one. */
export interface OpenedLog {
  file: FileHandle;
  /** Left out when the answer ends at the end of the file. */
  readonly follow: FollowedLog | undefined;
}

export interface BodyParts {
  readonly opened: OpenedLog;
  readonly start: number;
  readonly reading: EntryReading;
  readonly signal: AbortSignal;
}

/** A body that lets go of what it holds when it has been read or given up, or when the signal is aborted. */
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

/** The answer's bytes, in chunks as they are read; the consumer's pull is the back-pressure. */
export async function* logBody(parts: BodyParts): AsyncGenerator<Uint8Array, void, undefined> {
  const { opened, reading, signal } = parts;
  const { follow } = opened;
  let position = parts.start;
  let buffer: Buffer = Buffer.allocUnsafe(READ_BYTES);
  /** Bytes at the start of the buffer: an entry whose end is not read yet. */
  let kept = 0;
  let isLive = false;
  while (!signal.aborted && reading.entriesLeft > 0 && reading.bytesLeft > 0) {
    const untilEnd = (follow?.endOfFile() ?? NO_LIMIT) - position;
    const room = Math.min(buffer.length - kept, untilEnd);
    const bytesRead = room > 0 ? await read(opened.file, { buffer, kept, room, position, isLive }) : 0;
    if (bytesRead > 0) {
      position += bytesRead;
      const end = kept + bytesRead;
      let done = 0;
      for (const read of takeEntries(
        buffer,
        end,
        reading,
        isLive && bytesRead < BURST_BYTES ? 1 : NO_LIMIT,
      )) {
        done = read.end;
        if (read.body.length > 0) yield read.body;
      }
      if (reading.format === 'unknown') return yield formatError(reading);
      kept = end - done;
      buffer = bufferFor(buffer, done, end, bytesRead === room);
      // A short read came to the end of the file; what is written behind it will be told.
      const isAtEnd = bytesRead < room && follow?.endOfFile() === undefined;
      if (!isLive || !isAtEnd || reading.bytesLeft <= 0 || reading.entriesLeft <= 0) continue;
    } else if (follow === undefined) {
      // The kubelet reads an entry without a newline as it is.
      reading.unterminated = true;
      const last = Buffer.concat([buffer.subarray(0, kept), Buffer.from('\n')]);
      const { body } = readEntries(last, 0, last.length, reading);
      if (body.length > 0) yield body;
      if (kept > 0 && reading.format === 'unknown') yield formatError(reading);
      return;
    }
    if (follow === undefined) continue;
    if (follow.endOfFile() !== undefined) {
      await opened.file.close();
      const next = await follow.openNext();
      if (next === undefined) return;
      opened.file = next;
      position = 0;
      kept = 0;
      continue;
    }
    if (!isLive) buffer = shrink(buffer, kept);
    isLive = true;
    if ((await follow.wait()) === 'end') return;
  }
}

interface Read {
  readonly buffer: Buffer;
  readonly kept: number;
  readonly room: number;
  readonly position: number;
  readonly isLive: boolean;
}

/** What was just written is in the page cache: to wait for a thread that reads it would cost ten times as much. */
async function read(file: FileHandle, { buffer, kept, room, position, isLive }: Read): Promise<number> {
  if (isLive) return readSync(file.fd, buffer, kept, room, position);
  return (await file.read(buffer, kept, room, position)).bytesRead;
}

/** The kubelet's error for a file that is no log, as text behind the 200 that it has sent. */
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

/** Moves the rest to the start; a buffer that a read filled grows, and beyond READ_BYTES only for one long entry. */
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
