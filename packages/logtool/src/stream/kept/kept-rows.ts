import { isAscii } from 'node:buffer';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { levelIndex } from '../../domain/level.ts';
import type { LogRecord, Run } from '../../domain/record.ts';
import type { Shape } from '../../domain/records/line-shape.ts';
import { shapeOfLine } from '../match/leveled-line.ts';

/** Approximate unwritten bytes that all containers being read may hold together. */
const HELD_BYTES = 8 * 1024 * 1024;
const MIN_BLOCK_BYTES = 16 * 1024;
const MAX_BLOCK_BYTES = 1024 * 1024;
/** Shorter messages fill a block's record limit before its bytes. */
const USUAL_MESSAGE_BYTES = 64;

/** Marks a record whose level was not detected when it was kept. */
export const UNKNOWN_LEVEL = 255;

/** Marks a line whose shape was not detected when it was kept. */
export const UNKNOWN_SHAPE = 255;
const NO_BYTES = Buffer.alloc(0);

/** Facts about a record's message that are known without reading it. */
export const ROW_FLAGS = {
  /** The container wrote no newline after it. */
  partial: 1,
  /** It contains an escape character: colors may split the searched text. */
  escapes: 2,
  /** It contains bytes beyond ASCII. */
  beyondAscii: 4,
  /** It may contain a character that JSON escapes as a number: the bytes of a key then differ from its text. */
  jsonEscapes: 8,
} as const;

const ESCAPE = 0x1b;
const JSON_ESCAPE = Buffer.from('\\u');
/** Seconds (f64), nanoseconds and message length (u32), level, shape and flags (u8). */
const ROW_BYTES = 19;

/** Facts detected in the lines of a batch, by their index in it. */
export interface LineFacts {
  /** As in COUNTED_LEVELS. */
  readonly levels: Uint8Array;
  /** As in SHAPE, or UNKNOWN_SHAPE. */
  readonly shapes: Uint8Array;
}

/** Facts of the records of a block, each kind in a separate array; without their messages. */
export interface RowFacts {
  readonly count: number;
  readonly seconds: Float64Array;
  readonly nanos: Uint32Array;
  readonly lengths: Uint32Array;
  /** As in COUNTED_LEVELS, or UNKNOWN_LEVEL. */
  readonly levels: Uint8Array;
  /** As in SHAPE, or UNKNOWN_SHAPE. */
  readonly shapes: Uint8Array;
  readonly flags: Uint8Array;
}

/** Returns the arrays for this many records as views into `bytes`, which start their own buffer. */
function factsIn(bytes: Uint8Array, count: number): RowFacts {
  const { buffer } = bytes;
  let at = bytes.byteOffset;
  const next = (width: number) => {
    at += width * count;
    return at - width * count;
  };
  return {
    count,
    seconds: new Float64Array(buffer, next(8), count),
    nanos: new Uint32Array(buffer, next(4), count),
    lengths: new Uint32Array(buffer, next(4), count),
    levels: new Uint8Array(buffer, next(1), count),
    shapes: new Uint8Array(buffer, next(1), count),
    flags: new Uint8Array(buffer, next(1), count),
  };
}

/** Facts about the lines of a block that are known without their messages: whether all levels, and all shapes. */
export interface KnownFacts {
  readonly hasLevels: boolean;
  readonly hasShapes: boolean;
}

/** Packed records of one run: the facts of all, and their messages one after the other. */
export interface PackedRows extends KnownFacts {
  readonly facts: Buffer;
  readonly text: Buffer;
  readonly count: number;
  readonly first: Timestamp;
  readonly last: Timestamp;
}

/** Collects the records of one block. */
export class RowPacker {
  readonly #blockBytes: number;
  readonly #maxCount: number;
  #facts: RowFacts | undefined;
  #text: Buffer | undefined;
  #bytes = 0;
  #count = 0;
  #hasLevels = true;
  #hasShapes = true;

  /** `lanes`: how many containers are read simultaneously; the more, the smaller a block is. */
  constructor(lanes: number) {
    this.#blockBytes = Math.min(MAX_BLOCK_BYTES, Math.max(MIN_BLOCK_BYTES, Math.floor(HELD_BYTES / lanes)));
    // The arrays of the facts begin at multiples of it.
    this.#maxCount = Math.floor(this.#blockBytes / USUAL_MESSAGE_BYTES);
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Whether a record fits. A record larger than a block gets its own. */
  hasRoomFor({ message }: LogRecord): boolean {
    if (this.#count === 0) return true;
    return this.#count < this.#maxCount && this.#bytes + message.length <= this.#blockBytes;
  }

  add({ at, message, partial }: LogRecord, level: number, shape: number): void {
    const end = this.#bytes + message.length;
    this.#text ??= Buffer.allocUnsafeSlow(Math.max(end, this.#blockBytes));
    this.#facts ??= factsIn(Buffer.allocUnsafeSlow(this.#maxCount * ROW_BYTES), this.#maxCount);
    this.#text.set(message, this.#bytes);
    this.#bytes = end;
    const { seconds, nanos, lengths, levels, shapes, flags } = this.#facts;
    const index = this.#count++;
    seconds[index] = at.seconds;
    nanos[index] = at.nanos;
    lengths[index] = message.length;
    levels[index] = level;
    shapes[index] = shape;
    flags[index] = partial ? ROW_FLAGS.partial : 0;
    this.#hasLevels &&= level !== UNKNOWN_LEVEL;
    this.#hasShapes &&= shape !== UNKNOWN_SHAPE;
  }

  /** Returns the records so far; the next ones begin another block. Requires at least one record. */
  take(): PackedRows {
    const count = this.#count;
    const text = this.#text!.subarray(0, this.#bytes);
    const all = this.#facts!;
    flagRows(text, all, count);
    const bytes = Buffer.allocUnsafeSlow(count * ROW_BYTES);
    const facts = factsIn(bytes, count);
    facts.seconds.set(all.seconds.subarray(0, count));
    facts.nanos.set(all.nanos.subarray(0, count));
    facts.lengths.set(all.lengths.subarray(0, count));
    facts.levels.set(all.levels.subarray(0, count));
    facts.shapes.set(all.shapes.subarray(0, count));
    facts.flags.set(all.flags.subarray(0, count));
    const timeAt = (index: number) => ({ seconds: facts.seconds[index]!, nanos: facts.nanos[index]! });
    const packed = { facts: bytes, text, count, hasLevels: this.#hasLevels, hasShapes: this.#hasShapes };
    // The block is compressed while the next one is filled.
    this.#text = undefined;
    this.#bytes = 0;
    this.#count = 0;
    this.#hasLevels = true;
    this.#hasShapes = true;
    return { ...packed, first: timeAt(0), last: timeAt(count - 1) };
  }
}

/** Sets the flags of the records. Most blocks need none: a search of all their bytes shows it. */
function flagRows(text: Buffer, { lengths, flags }: RowFacts, count: number): void {
  const tests = [
    { flag: ROW_FLAGS.escapes, isFound: (bytes: Buffer) => bytes.includes(ESCAPE) },
    { flag: ROW_FLAGS.beyondAscii, isFound: (bytes: Buffer) => !isAscii(bytes) },
    { flag: ROW_FLAGS.jsonEscapes, isFound: (bytes: Buffer) => bytes.includes(JSON_ESCAPE) },
  ].filter(({ isFound }) => isFound(text));
  if (tests.length === 0) return;
  let start = 0;
  for (let index = 0; index < count; index++) {
    const message = text.subarray(start, start + lengths[index]!);
    start += message.length;
    for (const { flag, isFound } of tests) if (isFound(message)) flags[index]! |= flag;
  }
}

/** The records of a block as they are read back: those in the interval being read. */
export class KeptRows {
  readonly source: Run;
  readonly facts: RowFacts;
  /** All messages one after the other; undefined if only the facts were read. */
  readonly text: Buffer | undefined;
  /** Records in [first, end) are in the interval. */
  first: number;
  end: number;
  /** Start of each message in `text`, and the end of the last one. */
  readonly starts: Uint32Array;

  constructor(source: Run, facts: RowFacts, text: Buffer | undefined) {
    this.source = source;
    this.facts = facts;
    this.text = text;
    this.first = 0;
    this.end = facts.count;
    this.starts = new Uint32Array(facts.count + 1);
    for (let index = 0; index < facts.count; index++)
      this.starts[index + 1] = this.starts[index]! + facts.lengths[index]!;
  }

  get size(): number {
    return this.end - this.first;
  }

  timeAt(index: number): Timestamp {
    return { seconds: this.facts.seconds[index]!, nanos: this.facts.nanos[index]! };
  }

  /** Returns a message as a view into the block; empty if the messages were not read. */
  messageAt(index: number): Buffer {
    return this.text?.subarray(this.starts[index]!, this.starts[index + 1]!) ?? NO_BYTES;
  }

  /** Returns the level of a line (COUNTED_LEVELS); detects it from the message if it was unknown when kept. */
  levelAt(index: number): number {
    const { levels } = this.facts;
    if (levels[index] === UNKNOWN_LEVEL) levels[index] = levelIndex(this.messageAt(index));
    return levels[index]!;
  }

  /** Returns the shape of a line in the same way. */
  shapeAt(index: number): Shape {
    const { shapes } = this.facts;
    if (shapes[index] === UNKNOWN_SHAPE)
      shapes[index] = shapeOfLine({ message: this.messageAt(index) }, this.levelAt(index));
    return shapes[index] as Shape;
  }

  recordAt(index: number, seq: number): LogRecord {
    return {
      run: this.source,
      at: this.timeAt(index),
      seq,
      message: this.messageAt(index),
      partial: (this.facts.flags[index]! & ROW_FLAGS.partial) !== 0,
      late: false,
    };
  }

  /** Bytes of the messages of all records in the interval. */
  get messageBytes(): number {
    return this.starts[this.end]! - this.starts[this.first]!;
  }

  /** Leaves out records before `from`, and those not before `to`: records are in the order of their times. */
  narrow(from: Timestamp | undefined, to: Timestamp | undefined): void {
    if (from !== undefined) this.first = this.#indexOf(from);
    if (to !== undefined) this.end = Math.max(this.first, this.#indexOf(to));
  }

  /** Returns the index of the first record at or after a time. */
  #indexOf(at: Timestamp): number {
    let [low, high] = [0, this.facts.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareTimestamps(this.timeAt(middle), at) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Reads back what `RowPacker` packed. */
export function unpackRows(
  { count, source }: { readonly count: number; readonly source: Run },
  bytes: Uint8Array,
  text: Buffer | undefined,
): KeptRows {
  // The arrays need a buffer offset that is a multiple of 8 bytes.
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  return new KeptRows(source, factsIn(aligned, count), text);
}
