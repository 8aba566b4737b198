import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { ProblemError } from '@logtool/kube/src/values/problems.ts';
import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord, Run } from '../../domain/record.ts';
import { BlockWriter, recordsOf } from './spill-block.ts';
import { openUnnamed, writeAll } from './unnamed-file.ts';

/** Approximate bytes of the file that all containers being read back may hold together. */
const HELD_BYTES = 3 * 1024 * 1024;
const MIN_BLOCK_BYTES = 2 * 1024;
const MAX_BLOCK_BYTES = 64 * 1024;
/** Records are larger in memory than in the file, so only this many of a block are created at once. */
const BATCH_RECORDS = 8;

/**
 * A sequence of batches, each in the total order and after the previous one. A batch belongs to the merge, which
 * empties it after use, because a suspended generator keeps its last value alive.
 */
export interface OrderedBatches extends AsyncIterator<LogRecord[], unknown, undefined> {
  /** The next record is available: requesting it ahead of its turn gains nothing. */
  readonly isAtHand?: boolean;
}

/** A lane that was written to the file, and is read back from it. */
export interface SpilledBatches extends OrderedBatches {
  readonly isEmpty: boolean;
}

/** Numbers per block: its offset in the file and its length; plain numbers, because there are many blocks. */
const BLOCK_NUMBERS = 2;

/**
 * Stores records of containers that must wait for their position in the order, in one temporary file: a merge needs all
 * containers at once, and only a limited number may be read at once. Splits a container's records into blocks, which
 * lie among those of the others.
 */
export class Spill {
  readonly #blockBytes: number;
  #file: Promise<FileHandle> | undefined;
  #end = 0;

  /** `lanes`: how many will be read back at once; the more, the less each holds. */
  constructor(lanes: number) {
    this.#blockBytes = Math.min(MAX_BLOCK_BYTES, Math.max(MIN_BLOCK_BYTES, Math.floor(HELD_BYTES / lanes)));
  }

  /** Creates the file. Throws if there is no writable location: a container may have none. */
  async open(): Promise<void> {
    await this.#open();
  }

  /**
   * Writes a lane's records, at most this many; returns a lane that reads them back. `isWhole`: also those with the
   * time of the last one, and one more.
   */
  async take(
    lane: AsyncIterable<readonly LogRecord[]>,
    maxRecords: number,
    isWhole = false,
  ): Promise<SpilledBatches> {
    const file = await this.#open();
    const sources: Run[] = [];
    const blocks: number[] = [];
    const writer = new BlockWriter(this.#blockBytes);
    const write = async () => {
      const at = this.#end;
      blocks.push(at, writer.bytes.length);
      this.#end += writer.bytes.length;
      await writeAll(file, writer.bytes, at);
      writer.clear();
    };
    for await (const batch of upTo(lane, maxRecords, isWhole)) {
      for (const record of batch) {
        if (!writer.hasRoomFor(record)) await write();
        writer.add(record, sources);
      }
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

/** Yields the first records of a lane; with `isWhole` also those with the time of the last one, and one more. */
async function* upTo(
  lane: AsyncIterable<readonly LogRecord[]>,
  maxRecords: number,
  isWhole: boolean,
): AsyncGenerator<readonly LogRecord[], void, undefined> {
  let left = maxRecords;
  let last: LogRecord | undefined;
  for await (const batch of lane) {
    const end = isWhole ? endOfTime(batch, left, last) + 1 : left;
    const segment = end < batch.length ? batch.slice(0, end) : batch;
    left -= segment.length;
    last = segment.at(-1) ?? last;
    if (segment.length > 0) yield segment;
    if (end <= batch.length && (isWhole || left <= 0)) return;
  }
}

/** Counts the records of a batch that belong to the first `left`, or have the time of the last of those. */
function endOfTime(batch: readonly LogRecord[], left: number, before: LogRecord | undefined): number {
  let end = Math.max(0, Math.min(left, batch.length));
  const last = end > 0 ? batch[end - 1] : before;
  if (last === undefined || end < left) return end;
  while (end < batch.length && compareTimestamps(batch[end]!.at, last.at) === 0) end++;
  return end;
}

/**
 * Reads a lane back, block by block, each in its turn. The system still caches the recent writes; starting a thousand
 * asynchronous reads for a thousand lanes would take more memory than what they read.
 */
function readBack(file: FileHandle, blocks: readonly number[], sources: readonly Run[]): SpilledBatches {
  const batches = batchesOf(file, blocks, sources);
  return {
    isAtHand: true,
    isEmpty: blocks.length === 0,
    next: async () => batches.next(),
    return: async () => batches.return(),
  };
}

function* batchesOf(
  file: FileHandle,
  blocks: readonly number[],
  sources: readonly Run[],
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
