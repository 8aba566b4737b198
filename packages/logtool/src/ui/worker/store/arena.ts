import { type EntryTable, KIND } from './entry-table.ts';

/** Size of a chunk; a longer line gets its own chunk. */
export const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const ESCAPE = 0x1b;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes of many lines in order of arrival, each followed by a newline (no line contains one). */
export interface ArenaChunk {
  readonly number: number;
  bytes: Uint8Array;
  used: number;
  /** Bytes of lines that are still held. */
  live: number;
  /** Whether all bytes are below 0x80. */
  isAscii: boolean;
  /** Whether the bytes include an escape character. */
  hasEscapes: boolean;
  /** Entries whose text may be in this chunk: their ids are consecutive. */
  readonly firstId: number;
  lastId: number;
}

/** The location of a text. */
export interface Placed {
  readonly chunk: number;
  readonly offset: number;
  readonly length: number;
  readonly isAscii: boolean;
  readonly hasEscapes: boolean;
}

/** Append-only store of texts as UTF-8, in chunks that are released when nothing in them is held. */
export class Arena {
  readonly #chunks = new Map<number, ArenaChunk>();
  #last: ArenaChunk | undefined;
  #numbers = 0;
  /** Bytes of held texts, without their newlines. */
  bytes = 0;

  /** Bytes of memory that the chunks use. */
  get capacity(): number {
    let sum = 0;
    for (const chunk of this.#chunks.values()) sum += chunk.bytes.length;
    return sum;
  }

  chunk(number: number): ArenaChunk | undefined {
    return this.#chunks.get(number);
  }

  chunks(): readonly ArenaChunk[] {
    return [...this.#chunks.values()];
  }

  /** Appends a text. Ids must ascend without a gap. A lone surrogate is stored as U+FFFD. */
  append(id: number, text: string): Placed {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    let chunk = this.#roomFor(id, text.length + 1);
    let offset = chunk.used;
    let { read, written } = encoder.encodeInto(text, chunk.bytes.subarray(offset));
    if (read < text.length || offset + written >= chunk.bytes.length) {
      const encoded = encoder.encode(text);
      chunk = this.#open(id, Math.max(CHUNK_BYTES, encoded.length + 1));
      offset = 0;
      chunk.bytes.set(encoded);
      read = text.length;
      written = encoded.length;
    }
    chunk.bytes[offset + written] = NEWLINE;
    chunk.used = offset + written + 1;
    chunk.live += written;
    chunk.lastId = id;
    const isAscii = written === text.length;
    if (!isAscii) chunk.isAscii = false;
    const hasEscapes = chunk.bytes.subarray(offset, offset + written).includes(ESCAPE);
    if (hasEscapes) chunk.hasEscapes = true;
    this.bytes += written;
    return { chunk: chunk.number, offset, length: written, isAscii, hasEscapes };
  }

  text(number: number, offset: number, length: number): string {
    return decoder.decode(this.view(number, offset, length));
  }

  view(number: number, offset: number, length: number): Uint8Array {
    const chunk = this.#chunks.get(number);
    if (chunk === undefined) throw new Error(`chunk ${number} is gone`);
    return chunk.bytes.subarray(offset, offset + length);
  }

  /** Notes that a text is no longer held. */
  release(number: number, length: number): void {
    const chunk = this.#chunks.get(number);
    if (chunk === undefined) return;
    chunk.live -= length;
    this.bytes -= length;
  }

  /** Releases a chunk. */
  drop(number: number): void {
    if (this.#last?.number === number) this.#last = undefined;
    this.#chunks.delete(number);
  }

  /** Whether a chunk is full, so that nothing more is written to it. */
  isFull(chunk: ArenaChunk): boolean {
    return chunk !== this.#last;
  }

  #roomFor(id: number, bytes: number): ArenaChunk {
    const last = this.#last;
    if (last !== undefined && last.bytes.length - last.used >= bytes) return last;
    return this.#open(id, Math.max(CHUNK_BYTES, bytes));
  }

  #open(id: number, bytes: number): ArenaChunk {
    const chunk: ArenaChunk = {
      number: this.#numbers++,
      bytes: new Uint8Array(bytes),
      used: 0,
      live: 0,
      isAscii: true,
      hasEscapes: false,
      firstId: id,
      lastId: id,
    };
    this.#chunks.set(chunk.number, chunk);
    this.#last = chunk;
    return chunk;
  }
}

/** Moves the remaining texts of a chunk together, or releases the chunk if none remain. */
export function compactChunk(arena: Arena, table: EntryTable, chunk: ArenaChunk): void {
  if (chunk.live === 0 && !holdsEmptyLines(table, chunk)) {
    arena.drop(chunk.number);
    return;
  }
  const held: number[] = [];
  let size = 0;
  for (let id = chunk.firstId; id <= chunk.lastId; id++) {
    if (table.kind(id) !== KIND.line || table.get('chunk', id) !== chunk.number) continue;
    held.push(id);
    size += table.get('length', id) + 1;
  }
  if (size >= chunk.bytes.length) return;
  const bytes = new Uint8Array(size);
  let used = 0;
  for (const id of held) {
    const offset = table.offset(id);
    const length = table.get('length', id) + 1;
    bytes.set(chunk.bytes.subarray(offset, offset + length), used);
    table.set('offset', id, used);
    used += length;
  }
  chunk.bytes = bytes;
  chunk.used = used;
}

function holdsEmptyLines(table: EntryTable, chunk: ArenaChunk): boolean {
  for (let id = chunk.firstId; id <= chunk.lastId; id++) {
    if (table.kind(id) === KIND.line && table.get('chunk', id) === chunk.number) return true;
  }
  return false;
}
