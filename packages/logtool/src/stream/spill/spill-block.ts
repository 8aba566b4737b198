import type { LogRecord, Run } from '../../domain/record.ts';

/** Seconds (f64), nanoseconds (u32), message length (u32), source (u16), partial (u8). */
const HEADER_BYTES = 19;

/** Writes whole records one after the other into a buffer that is reused for the next block. */
export class BlockWriter {
  readonly #own: Buffer;
  #buffer: Buffer;
  #length = 0;

  constructor(blockBytes: number) {
    this.#own = Buffer.allocUnsafeSlow(blockBytes);
    this.#buffer = this.#own;
  }

  /** The block so far; overwritten after `clear`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Whether a record fits. A record larger than a block gets its own. */
  hasRoomFor({ message }: LogRecord): boolean {
    return this.#length === 0 || this.#length + HEADER_BYTES + message.length <= this.#buffer.length;
  }

  /** Adds a record. `sources` are those of the lane, in the order in which they came; adds new ones. */
  add(record: LogRecord, sources: Run[]): void {
    let source = sources.indexOf(record.run);
    if (source === -1) source = sources.push(record.run) - 1;
    const { at, message, partial } = record;
    const end = this.#length + HEADER_BYTES + message.length;
    if (end > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(end);
    const buffer = this.#buffer;
    let to = buffer.writeDoubleLE(at.seconds, this.#length);
    to = buffer.writeUInt32LE(at.nanos, to);
    to = buffer.writeUInt32LE(message.length, to);
    to = buffer.writeUInt16LE(source, to);
    to = buffer.writeUInt8(partial ? 1 : 0, to);
    buffer.set(message, to);
    this.#length = end;
  }

  clear(): void {
    this.#length = 0;
    this.#buffer = this.#own;
  }
}

/**
 * Yields the records of a block, at most this many at once, numbered by the counter; their messages are views into it.
 */
export function* recordsOf(
  block: Buffer,
  sources: readonly Run[],
  counter: { seq: number },
  most: number,
): Generator<LogRecord[], void, undefined> {
  for (let at = 0; at < block.length; ) {
    const records: LogRecord[] = [];
    while (records.length < most && at < block.length) {
      const start = at + HEADER_BYTES;
      const end = start + block.readUInt32LE(at + 12);
      records.push({
        run: sources[block.readUInt16LE(at + 16)]!,
        at: { seconds: block.readDoubleLE(at), nanos: block.readUInt32LE(at + 8) },
        seq: counter.seq++,
        message: block.subarray(start, end),
        partial: block.readUInt8(at + 18) === 1,
        late: false,
      });
      at = end;
    }
    yield records;
  }
}
