import { createReadStream, rmSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogRecord, Source } from '../domain/record.ts';
import type { OrderedBatches } from './merge.ts';

/** Seconds (f64), nanoseconds (u32), message length (u32), source (u16), partial (u8). */
const HEADER_BYTES = 19;
const WRITE_BYTES = 256 * 1024;
const READ_BYTES = 64 * 1024;

/** What the system says where nothing may be written, or can be. */
const NO_DISK: readonly unknown[] = ['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ENOSPC', 'EDQUOT'];

/**
 * Records of containers that must wait for their place in the order, in temporary files: a merge needs all containers
 * at once, and only so many may be read at once. The folder is removed by `close`, and when the process exits.
 */
export class Spill {
  #folder: Promise<string> | undefined;
  #files = 0;
  #onExit: (() => void) | undefined;

  /** Whether there is a place to write to: a container may have none. */
  async isPossible(): Promise<boolean> {
    try {
      await this.#open();
      return true;
    } catch (error) {
      if (NO_DISK.includes((error as NodeJS.ErrnoException).code)) return false;
      throw error;
    }
  }

  /** Writes what a lane gives, at most so many records; returns a lane that reads it back. */
  async take(lane: AsyncIterable<readonly LogRecord[]>, mostRecords: number): Promise<OrderedBatches> {
    const path = join(await this.#open(), String(this.#files++));
    const sources: Source[] = [];
    const file = await open(path, 'wx', 0o600);
    try {
      let pieces: Buffer[] = [];
      let size = 0;
      let left = mostRecords;
      for await (const batch of lane) {
        for (const record of batch.slice(0, left)) {
          const header = encodeHeader(record, sources);
          pieces.push(header, Buffer.from(record.message));
          size += header.length + record.message.length;
        }
        left -= batch.length;
        if (size >= WRITE_BYTES) {
          await file.write(Buffer.concat(pieces));
          pieces = [];
          size = 0;
        }
        if (left <= 0) break;
      }
      if (size > 0) await file.write(Buffer.concat(pieces));
    } finally {
      await file.close();
    }
    return readBack(path, sources);
  }

  /** Removes all files. */
  async close(): Promise<void> {
    const folder = this.#folder;
    this.#folder = undefined;
    const path = await folder?.catch(() => undefined);
    if (path === undefined) return;
    await rm(path, { recursive: true, force: true });
    if (this.#onExit !== undefined) process.off('exit', this.#onExit);
  }

  #open(): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'logtool-')).then((folder) => {
      this.#onExit = () => rmSync(folder, { recursive: true, force: true });
      process.on('exit', this.#onExit);
      return folder;
    });
    return this.#folder;
  }
}

function encodeHeader(record: LogRecord, sources: Source[]): Buffer {
  let source = sources.indexOf(record.source);
  if (source === -1) source = sources.push(record.source) - 1;
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeDoubleLE(record.at.seconds, 0);
  header.writeUInt32LE(record.at.nanos, 8);
  header.writeUInt32LE(record.message.length, 12);
  header.writeUInt16LE(source, 16);
  header.writeUInt8(record.partial ? 1 : 0, 18);
  return header;
}

async function* readBack(path: string, sources: readonly Source[]): AsyncGenerator<readonly LogRecord[]> {
  let held: Buffer = Buffer.alloc(0);
  let seq = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) {
    held = held.length === 0 ? (chunk as Buffer) : Buffer.concat([held, chunk as Buffer]);
    const records: LogRecord[] = [];
    let at = 0;
    while (held.length - at >= HEADER_BYTES) {
      const end = at + HEADER_BYTES + held.readUInt32LE(at + 12);
      if (end > held.length) break;
      records.push({
        source: sources[held.readUInt16LE(at + 16)]!,
        at: { seconds: held.readDoubleLE(at), nanos: held.readUInt32LE(at + 8) },
        seq: seq++,
        message: held.subarray(at + HEADER_BYTES, end),
        partial: held.readUInt8(at + 18) === 1,
        late: false,
      });
      at = end;
    }
    held = held.subarray(at);
    if (records.length > 0) yield records;
  }
}
