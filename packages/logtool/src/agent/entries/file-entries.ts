import { parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type CriEntry, readEntry } from '../../backend/cri-entry.ts';
import { MAX_ENTRY_BYTES, type StreamName } from '../../backend/entry-lines.ts';
import type { FileWindow, LogFile } from './log-file.ts';

const LF = 10;
const NOTHING = Buffer.alloc(0);

/** An entry of a file. */
export interface FileEntry extends CriEntry {
  readonly file: LogFile;
  /** Where it begins in the file, uncompressed. */
  readonly offset: number;
  /** The byte after it, and after its newline. */
  readonly next: number;
  /** As it is in the file, without its newline; at most its first MiB. The places of its parts are in it. */
  readonly text: Buffer;
  /** The runtime has written its newline. */
  readonly isEnded: boolean;
}

/** Entries of one window, and how much of the file they took. */
export interface EntryBatch {
  readonly entries: readonly FileEntry[];
  /** Bytes of the window, uncompressed. */
  readonly bytes: number;
  /** All entries between where the reading began and this place of the file were read. */
  readonly reached: number;
  /** The byte after the window. */
  readonly end: number;
}

/** Where in a window there is anything to read: bytes from, to (excluded), each the border of an entry. */
export type Stretches = (bytes: Buffer) => readonly (readonly [number, number])[];

/** Returns the time of an entry; undefined if its stamp is none. */
export function timeOf({ text, stampEnd }: FileEntry): Timestamp | undefined {
  return parseTimestamp(text.toString('latin1', 0, stampEnd));
}

/** Whether an entry is of a stream; undefined: of any. */
export function isOfStream({ text, stampEnd, tag }: FileEntry, stream: StreamName | undefined): boolean {
  return stream === undefined || text.toString('latin1', stampEnd + 1, tag - 1) === stream;
}

/**
 * Yields the entries of windows that follow each other, the first of which begins with an entry, in their order. Leaves
 * out text that is no entry. `stretches`: reads only those parts of a window, besides its first and its last entry.
 */
export async function* entriesForwards(
  file: LogFile,
  windows: AsyncIterable<FileWindow>,
  stretches?: Stretches,
): AsyncGenerator<EntryBatch, void, undefined> {
  let rest: Buffer = NOTHING;
  let restFrom = 0;
  let next = 0;
  for await (const { from, bytes } of windows) {
    const batch = new Batch(file);
    if (rest.length === 0) restFrom = from;
    const first = bytes.indexOf(LF);
    if (first === -1) {
      rest = joinedStart(rest, bytes);
    } else {
      batch.add(joinedStart(rest, bytes.subarray(0, first)), restFrom, from + first + 1, true);
      const last = bytes.lastIndexOf(LF);
      batch.addAll(bytes, [first + 1, last + 1], from, stretches);
      rest = Buffer.from(bytes.subarray(last + 1).subarray(0, MAX_ENTRY_BYTES));
      restFrom = from + last + 1;
    }
    next = from + bytes.length;
    yield { entries: batch.entries, bytes: bytes.length, reached: restFrom, end: next };
  }
  const batch = new Batch(file);
  if (rest.length > 0) batch.add(rest, restFrom, next, false);
  if (rest.length > 0) yield { entries: batch.entries, bytes: 0, reached: next, end: next };
}

/**
 * Yields the same entries, the last one first, of windows that precede each other, to the beginning of the file. The first
 * window ends with an entry.
 */
export async function* entriesBackwards(
  file: LogFile,
  windows: AsyncIterable<FileWindow>,
  stretches?: Stretches,
): AsyncGenerator<EntryBatch, void, undefined> {
  /** The end of an entry whose beginning lies in an earlier window. */
  let rest: Buffer = NOTHING;
  let isEnded = false;
  let next = 0;
  let isFirst = true;
  for await (const { from, bytes } of windows) {
    const batch = new Batch(file);
    if (isFirst) next = from + bytes.length;
    isFirst = false;
    const last = bytes.lastIndexOf(LF);
    if (last === -1) {
      rest = joinedStart(bytes, rest);
    } else {
      const first = bytes.indexOf(LF);
      batch.addAll(bytes, [first + 1, last + 1], from, stretches);
      batch.add(joinedStart(bytes.subarray(last + 1), rest), from + last + 1, next, isEnded);
      rest = Buffer.from(bytes.subarray(0, first));
      isEnded = true;
      next = from + first + 1;
    }
    yield { entries: batch.entries.reverse(), bytes: bytes.length, reached: next, end: from + bytes.length };
  }
  const batch = new Batch(file);
  batch.add(rest, 0, next, isEnded);
  yield { entries: batch.entries, bytes: 0, reached: 0, end: next };
}

class Batch {
  readonly entries: FileEntry[] = [];
  readonly #file: LogFile;

  constructor(file: LogFile) {
    this.#file = file;
  }

  add(text: Buffer, offset: number, next: number, isEnded: boolean): void {
    const entry = readEntry(text, 0, text.length);
    if (entry === undefined) return;
    // Named one by one: a spread takes as long as the rest of reading an entry.
    const { stampEnd, tag, message, isPartial } = entry;
    const file = this.#file;
    this.entries.push({ stampEnd, tag, message, isPartial, file, offset, next, text, isEnded });
  }

  /** Adds the entries between two borders. */
  addAll(
    bytes: Buffer,
    [start, end]: readonly [number, number],
    from: number,
    stretches: Stretches | undefined,
  ): void {
    if (start >= end) return;
    const inside = bytes.subarray(start, end);
    const wanted = stretches?.(inside) ?? [[0, inside.length] as const];
    for (const [first, after] of wanted) {
      for (let at = first; at < after; ) {
        const newline = inside.indexOf(LF, at);
        this.add(inside.subarray(at, newline), from + start + at, from + start + newline + 1, true);
        at = newline + 1;
      }
    }
  }
}

/** Joins two parts of an entry; an endless one is cut rather than held. */
function joinedStart(first: Buffer, second: Buffer): Buffer {
  if (first.length === 0) return Buffer.from(second.subarray(0, MAX_ENTRY_BYTES));
  return Buffer.concat([first, second]).subarray(0, MAX_ENTRY_BYTES);
}
