import { randomUUID } from 'node:crypto';
import { readSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemError } from '@logtool/kube/src/values/problems.ts';
import type { LogRecord, Source } from '../../domain/record.ts';
import type { OrderedBatches } from './merge.ts';
import { BlockWriter, recordsOf } from './spill-block.ts';

/** All containers that are read back at once may hold about so much of the file. */
const HELD_BYTES = 3 * 1024 * 1024;
const MIN_BLOCK_BYTES = 2 * 1024;
const MAX_BLOCK_BYTES = 64 * 1024;
/** Records are larger than in the file, so of a block only this many are made at once. */
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

/** Of a block, keeps its place in the file and its length: two numbers, because there are many blocks. */
const BLOCK_NUMBERS = 2;

/**
 * Records of containers that must wait for their place in the order, in one temporary file: a merge needs all
 * containers at once, and only a limited number may be read at once. A container's records are cut into
 * blocks, which lie among those of the others. The file loses its name as soon as it is open, so that the
 * system frees it whichever way the process ends, SIGKILL too.
 */
export class Spill {
  readonly #blockBytes: number;
  #file: Promise<FileHandle> | undefined;
  #end = 0;

  /** `lanes`: how many will be read back at once; the more, the less each holds. */
  constructor(lanes: number) {
    this.#blockBytes = Math.min(MAX_BLOCK_BYTES, Math.max(MIN_BLOCK_BYTES, Math.floor(HELD_BYTES / lanes)));
  }

  /** Makes the file. Throws if there is no place to write to: a container may have none. */
  async open(): Promise<void> {
    await this.#open();
  }

  /** Writes a lane's records, at most this many; returns a lane that reads them back. */
  async take(lane: AsyncIterable<readonly LogRecord[]>, maxRecords: number): Promise<OrderedBatches> {
    const file = await this.#open();
    const sources: Source[] = [];
    const blocks: number[] = [];
    const writer = new BlockWriter(this.#blockBytes);
    const write = async () => {
      const at = this.#end;
      blocks.push(at, writer.bytes.length);
      this.#end += writer.bytes.length;
      await writeAll(file, writer.bytes, at);
      writer.clear();
    };
    let left = maxRecords;
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

  /** Frees the written data; a lane that `take` returned can no longer be read. */
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

/**
 * Reads a lane back, block by block, each when its turn comes. It was written just now, so that the system has it at
 * hand; where a thousand lanes begin, a thousand reads under way take more memory than what they read.
 */
function readBack(file: FileHandle, blocks: readonly number[], sources: readonly Source[]): OrderedBatches {
  const batches = batchesOf(file, blocks, sources);
  return {
    isAtHand: true,
    next: async () => batches.next(),
    return: async () => batches.return(),
  };
}

function* batchesOf(
  file: FileHandle,
  blocks: readonly number[],
  sources: readonly Source[],
): Generator<LogRecord[], void, undefined> {
  const counter = { seq: 0 };
  for (let next = 0; next < blocks.length; next += BLOCK_NUMBERS)
    yield* recordsOf(readBlock(file, blocks[next]!, blocks[next + 1]!), sources, counter, BATCH_RECORDS);
}

function readBlock(file: FileHandle, at: number, bytes: number): Buffer {
  const block = Buffer.allocUnsafeSlow(bytes);
  for (let done = 0; done < bytes; ) {
    const bytesRead = readSync(file.fd, block, done, bytes - done, at + done);
    if (bytesRead === 0) throw new ProblemError({ code: 'temporary-file-cut', data: {} });
    done += bytesRead;
  }
  return block;
}
