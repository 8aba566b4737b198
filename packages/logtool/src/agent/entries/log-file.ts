import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip, type ZlibOptions } from 'node:zlib';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { firstStampOf } from '../../backend/entry-lines.ts';
import { CHUNK_BYTES, FileBody, openAgain } from '../files/file-body.ts';
import { type UnreadableBecause, UnreadableFile } from '../files/unreadable-file.ts';

/** The first read of a file; most requests are for a page, so later ones grow. */
const FIRST_BYTES = 16 * 1024;
const MAX_READ_BYTES = 1024 * 1024;
/** Text of a compressed file that is held to read it backwards. */
const PACKED_WINDOW_BYTES = 4 * 1024 * 1024;
/** At the end of a gzip file: the size of its text (RFC 1952). */
const TRAILER_BYTES = 4;
const UNPACKED_CHUNK_BYTES = 256 * 1024;
/** Text that is unpacked while what came before it is searched. */
const UNPACKED_AHEAD_BYTES = 1024 * 1024;

/** A file that has entries; or one that cannot be read. */
export interface LogFile {
  readonly run: number;
  /** Its name when it was listed; the kubelet may rename and compress it. */
  readonly name: string;
  /** Time of its first entry, by which it is recognized; undefined: it cannot be read. */
  readonly first: Timestamp | undefined;
  readonly problem: UnreadableBecause | undefined;
}

/** Bytes of a file, and where they begin in it, uncompressed. */
export interface FileWindow {
  readonly from: number;
  readonly bytes: Buffer;
}

/** An open log file, which is read from any place in it, forwards and backwards. */
export interface OpenLogFile {
  readonly name: string;
  readonly isPacked: boolean;
  /** Bytes on the disk when it was opened. */
  readonly size: number;
  /** Bytes of its text, modulo 4 GiB for a compressed one. */
  textBytes(): Promise<number>;
  /** Distinguishes it from other files of this machine, as long as both exist. */
  readonly id: string;
  /** Yields what lies from a byte on, to another one or to its end at that moment. Throws UnreadableFile. */
  forwards(from: number, to?: number): AsyncGenerator<FileWindow, void, undefined>;
  /** Yields what lies before a byte, or before its end: the last window first. Throws UnreadableFile. */
  backwards(to?: number): AsyncGenerator<FileWindow, void, undefined>;
  close(): Promise<void>;
}

/** What was opened. */
export interface OpenedHandle {
  readonly handle: FileHandle;
  readonly stats: { readonly size: number; readonly ino: number; readonly dev: number };
}

/** Makes a log file of an open one, which it closes. `name` ends in `.gz` if it is compressed. */
export function openLogFile({ handle, stats }: OpenedHandle, name: string, signal: AbortSignal): OpenLogFile {
  const isPacked = name.endsWith('.gz');
  const id = `${stats.dev}:${stats.ino}`;
  const about = { name, isPacked, size: stats.size, id, close: () => handle.close() };
  const file = { handle, name, signal };
  if (!isPacked) {
    return {
      ...about,
      textBytes: async () => (await handle.stat()).size,
      forwards: (from, to) => plainFrom(file, from, to),
      backwards: (to) => plainBefore(file, to),
    };
  }
  return {
    ...about,
    textBytes: async () => {
      const trailer = await readAt(handle, name, Math.max(0, stats.size - TRAILER_BYTES), TRAILER_BYTES);
      return trailer.length === TRAILER_BYTES ? trailer.readUInt32LE() : 0;
    },
    forwards: (from, to) => unpackedFrom(file, from, to),
    backwards: (to) => unpackedBefore(file, to),
  };
}

/** Returns the time of a file's first entry; undefined if its first MiB has none. Throws UnreadableFile. */
export async function firstTimeOf(file: OpenLogFile): Promise<Timestamp | undefined> {
  return firstStampOf(bytesOf(file.forwards(0)));
}

async function* bytesOf(windows: AsyncIterable<FileWindow>): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of windows) yield bytes;
}

interface Source {
  readonly handle: FileHandle;
  readonly name: string;
  readonly signal: AbortSignal;
}

async function* plainFrom(
  { handle, name, signal }: Source,
  from: number,
  to?: number,
): AsyncGenerator<FileWindow> {
  const { size } = await handle.stat();
  const end = Math.min(to ?? size, size);
  let length = FIRST_BYTES;
  let ahead: Promise<Buffer> | undefined;
  for (let at = from; at < end; ) {
    signal.throwIfAborted();
    const window = at;
    const bytes = await (ahead ?? readAt(handle, name, at, Math.min(length, end - at)));
    at += bytes.length;
    length = Math.min(length * 2, MAX_READ_BYTES);
    // Who reads so much reads on: the next window comes while this one is searched.
    const isAhead = length === MAX_READ_BYTES && at < end;
    ahead = isAhead ? readAt(handle, name, at, Math.min(length, end - at)) : undefined;
    // It fails where it is awaited, unless nobody reads on.
    ahead?.catch(() => undefined);
    yield { from: window, bytes };
  }
}

async function* plainBefore({ handle, name, signal }: Source, to?: number): AsyncGenerator<FileWindow> {
  const { size } = await handle.stat();
  let length = FIRST_BYTES;
  for (let end = Math.min(to ?? size, size); end > 0; length = Math.min(length * 2, MAX_READ_BYTES)) {
    signal.throwIfAborted();
    const from = Math.max(0, end - length);
    const pieces: Buffer[] = [];
    for (let at = from; at < end; at += pieces.at(-1)!.length)
      pieces.push(await readAt(handle, name, at, end - at));
    yield { from, bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces) };
    end = from;
  }
}

/** Reads at least one byte. */
async function readAt(handle: FileHandle, name: string, at: number, length: number): Promise<Buffer> {
  const chunk = Buffer.allocUnsafeSlow(length);
  const { bytesRead } = await handle.read(chunk, 0, length, at);
  // Somebody emptied it: what is missing must not pass for the end.
  if (bytesRead === 0) throw new UnreadableFile(name, 'cut');
  return chunk.subarray(0, bytesRead);
}

async function* unpackedFrom(
  file: Source,
  from: number,
  to = Number.POSITIVE_INFINITY,
): AsyncGenerator<FileWindow> {
  let at = 0;
  for await (const chunk of unpacked(file)) {
    const start = at;
    at += chunk.length;
    if (at > from && start < to) {
      const first = Math.max(from, start);
      yield { from: first, bytes: chunk.subarray(first - start, Math.min(chunk.length, to - start)) };
    }
    if (at >= to) return;
  }
}

/** Unpacks the file once for each window: what is unpacked is not kept, however large it is. */
async function* unpackedBefore(file: Source, to = Number.POSITIVE_INFINITY): AsyncGenerator<FileWindow> {
  for (let end = to; end > 0; ) {
    const held: Buffer[] = [];
    let length = 0;
    let at = 0;
    for await (const { bytes } of unpackedFrom(file, 0, end)) {
      held.push(bytes);
      length += bytes.length;
      at += bytes.length;
      while (length - held[0]!.length >= PACKED_WINDOW_BYTES) length -= held.shift()!.length;
    }
    if (length === 0) return;
    yield { from: at - length, bytes: Buffer.concat(held) };
    end = at - length;
  }
}

/** Yields the text of a compressed file. Throws UnreadableFile if it is damaged. */
async function* unpacked({ handle, name, signal }: Source): AsyncGenerator<Buffer> {
  const { body } = await openAgain(handle, { name, signal });
  const source = Readable.from(body, { objectMode: false, highWaterMark: CHUNK_BYTES });
  const text = createGunzip({
    chunkSize: UNPACKED_CHUNK_BYTES,
    readableHighWaterMark: UNPACKED_AHEAD_BYTES,
  } as ZlibOptions);
  let broken: unknown;
  source.on('error', (error) => {
    broken = error;
    text.destroy(error);
  });
  source.pipe(text);
  try {
    for await (const chunk of text) yield chunk as Buffer;
  } catch (cause) {
    if (broken !== undefined) throw broken;
    throw new UnreadableFile(name, 'damaged', { cause });
  } finally {
    source.destroy();
    text.destroy();
    if (body instanceof FileBody) await body.return();
  }
}
