import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogRecord, Source } from '../domain/record.ts';
import type { OrderedBatches } from './merge.ts';
import { BlockReader, BlockWriter } from './spill-block.ts';

/** All containers that are read back at once may hold about so much of the file. */
const HELD_BYTES = 3 * 1024 * 1024;
const LEAST_BLOCK_BYTES = 2 * 1024;
const MOST_BLOCK_BYTES = 64 * 1024;
/** Records are larger than what they were in the file, so of a block only so many are made at once. */
const BATCH_RECORDS = 8;

/** What the system says where nothing may be written, or can be. */
const NO_DISK: readonly unknown[] = [
  'EROFS',
  'EACCES',
  'EPERM',
  'EBUSY',
  'ENOENT',
  'ENOTDIR',
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
];

/** Whether an error says that there is no place to write to, or none left. */
export function isDiskFailure(error: unknown): error is Error {
  return error instanceof Error && NO_DISK.includes((error as NodeJS.ErrnoException).code);
}

/** Where in the file a block lies. */
interface Block {
  readonly at: number;
  readonly bytes: number;
}

/**
 * Records of containers that must wait for their place in the order, in one temporary file: a merge needs all
 * containers at once, and only so many may be read at once. What a container gives is cut into blocks, which lie
 * among those of the others. The file loses its name as soon as it is open, so that the system frees it whichever way
 * the process ends, SIGKILL too.
 */
export class Spill {
  readonly #blockBytes: number;
  #file: Promise<FileHandle> | undefined;
  #end = 0;

  /** `lanes`: how many are going to be read back at once; the more, the smaller is what each holds. */
  constructor(lanes: number) {
    this.#blockBytes = Math.min(
      MOST_BLOCK_BYTES,
      Math.max(LEAST_BLOCK_BYTES, Math.floor(HELD_BYTES / lanes)),
    );
  }

  /** Whether there is a place to write to: a container may have none. */
  async isPossible(): Promise<boolean> {
    try {
      await this.#open();
      return true;
    } catch (error) {
      if (isDiskFailure(error)) return false;
      throw error;
    }
  }

  /** Writes what a lane gives, at most so many records; returns a lane that reads it back. */
  async take(lane: AsyncIterable<readonly LogRecord[]>, mostRecords: number): Promise<OrderedBatches> {
    const file = await this.#open();
    const sources: Source[] = [];
    const blocks: Block[] = [];
    const writer = new BlockWriter(this.#blockBytes);
    const write = async () => {
      const block = { at: this.#end, bytes: writer.bytes.length };
      this.#end += block.bytes;
      blocks.push(block);
      await writeAll(file, writer.bytes, block.at);
      writer.clear();
    };
    let left = mostRecords;
    for await (const batch of lane) {
      for (const record of left < batch.length ? batch.slice(0, left) : batch) {
        if (!writer.hasRoomFor(record)) await write();
        writer.add(record, sources);
      }
      left -= batch.length;
      if (left <= 0) break;
    }
    if (writer.bytes.length > 0) await write();
    return readBack(file, blocks, sources);
  }

  /** Frees what was written; a lane that `take` returned cannot be read any more. */
  async close(): Promise<void> {
    const opening = this.#file;
    this.#file = undefined;
    const file = await opening?.catch(() => undefined);
    await file?.close();
  }

  #open(): Promise<FileHandle> {
    this.#file ??= openUnnamed();
    return this.#file;
  }
}

async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `logtool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    return file;
  } catch (error) {
    // A place where an open file cannot lose its name is none.
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
}

/** One write may take a part only, where the disk is nearly full. */
async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}

async function* readBack(
  file: FileHandle,
  blocks: readonly Block[],
  sources: readonly Source[],
): AsyncGenerator<LogRecord[]> {
  let seq = 0;
  for (const { at, bytes } of blocks) {
    const block = Buffer.allocUnsafeSlow(bytes);
    for (let done = 0; done < bytes; ) {
      const { bytesRead } = await file.read(block, done, bytes - done, at + done);
      if (bytesRead === 0) throw new Error('a temporary file was cut while it was read');
      done += bytesRead;
    }
    const reader = new BlockReader(block, sources, seq);
    for (let records = reader.next(BATCH_RECORDS); records.length > 0; records = reader.next(BATCH_RECORDS))
      yield records;
    seq = reader.seq;
  }
}
