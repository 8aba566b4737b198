import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';

/** Distance of the places in a file of which the time is known. */
export const BLOCK_BYTES = 256 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;
/** A time takes eight bytes for its seconds, and four for its nanoseconds. */
const STAMP_BYTES = 12;
/** Of what a file takes besides: its key, its place in the map. */
const FILE_BYTES = 256;
const FIRST_CAPACITY = 16;

interface FileStamps {
  seconds: Float64Array;
  nanos: Uint32Array;
}

/**
 * Times of entries of files, one for each block of a file. Files are only appended to, so what is known of one stays
 * true. Takes at most 4 MiB: of the files that were used least recently, it forgets all.
 */
export class StampIndex {
  readonly blockBytes: number;
  readonly #maxBytes: number;
  /** By the key of the file; the most recently used last. */
  readonly #files = new Map<string, FileStamps>();
  #bytes = 0;

  /** `blockBytes`, `maxBytes`: tests make them small. */
  constructor(blockBytes = BLOCK_BYTES, maxBytes = MAX_BYTES) {
    this.blockBytes = blockBytes;
    this.#maxBytes = maxBytes;
  }

  /** What it takes, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the time of the first entry that begins in or after a block of a file; undefined if it is not known. */
  get(key: string, block: number): Timestamp | undefined {
    const stamps = this.#files.get(key);
    if (stamps === undefined) return undefined;
    this.#files.delete(key);
    this.#files.set(key, stamps);
    const seconds = stamps.seconds[block];
    return seconds === undefined || Number.isNaN(seconds)
      ? undefined
      : { seconds, nanos: stamps.nanos[block]! };
  }

  /** Notes a time, unless the file has so many blocks that it would take more than everything may. */
  set(key: string, block: number, { seconds, nanos }: Timestamp): void {
    if (sizeOf(capacityFor(block)) > this.#maxBytes) return;
    const known = this.#files.get(key);
    const stamps = roomFor(known, block);
    if (stamps !== known) {
      this.#forget(key);
      this.#bytes += sizeOf(stamps.seconds.length);
    } else this.#files.delete(key);
    this.#files.set(key, stamps);
    stamps.seconds[block] = seconds;
    stamps.nanos[block] = nanos;
    for (const other of this.#files.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#forget(other);
    }
  }

  #forget(key: string): void {
    const stamps = this.#files.get(key);
    if (stamps === undefined) return;
    this.#files.delete(key);
    this.#bytes -= sizeOf(stamps.seconds.length);
  }
}

function sizeOf(capacity: number): number {
  return FILE_BYTES + capacity * STAMP_BYTES;
}

function capacityFor(block: number): number {
  let capacity = FIRST_CAPACITY;
  while (capacity <= block) capacity *= 2;
  return capacity;
}

function roomFor(known: FileStamps | undefined, block: number): FileStamps {
  if (known !== undefined && block < known.seconds.length) return known;
  const capacity = capacityFor(block);
  const seconds = new Float64Array(capacity).fill(Number.NaN);
  const nanos = new Uint32Array(capacity);
  seconds.set(known?.seconds ?? []);
  nanos.set(known?.nanos ?? []);
  return { seconds, nanos };
}
