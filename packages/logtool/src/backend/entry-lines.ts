import { parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { readEntry, SECOND_LENGTH, stampEndOf } from './cri-entry.ts';

const LF = 10;
const Z = 90;
/** The runtime splits longer lines into entries of 16 KiB; this much without a newline is no log. */
export const MAX_ENTRY_BYTES = 1024 * 1024;
const MAX_SHOWN = 200;

/** Where a container wrote a line. */
export type StreamName = 'stdout' | 'stderr';

export interface EntryLinesOptions {
  /** Leave out the entries of the other stream; default: of none. Lines of one stream go on past those of the other. */
  readonly stream?: StreamName | undefined;
  /** Leave out lines that began before this time, in whole seconds. */
  readonly since?: Timestamp | undefined;
  /** Leave out this many lines at the start. */
  readonly skip?: number | undefined;
}

/**
 * Converts the entries of a container's files, `STAMP stdout F MESSAGE`, into the lines that the log API returns with
 * `timestamps=true`: `STAMP MESSAGE`. Files follow each other: a line may begin in one and end in the next. The rules
 * are the kubelet's (k8s.io/cri-client/pkg/logs): an entry with the tag P continues with the next entry, of whichever
 * stream, and text that is no entry is left out. The simulated kubelet applies the same rules in code of its own
 * (packages/simcluster/src/kubelet/read-entries.ts): it decides what the tests of this folder expect, so it must not
 * share a mistake, and the product imports nothing of the simulation.
 */
export class EntryLines {
  readonly #since: Timestamp | undefined;
  readonly #stream: StreamName | undefined;
  #skip: number;
  /** The last entry of the chunks so far, without its newline. */
  #rest: Buffer = Buffer.alloc(0);
  #isLineStart = true;
  /** The current line began too early, or is skipped. */
  #isLeftOut = false;
  /** The last compared second and zone, and whether it is too early. */
  #second: Buffer = Buffer.alloc(0);
  #isEarly = false;
  #out: Buffer = Buffer.alloc(0);
  #length = 0;
  /** Number of lines that ended so far. */
  lines = 0;
  #hasEntries = false;
  /** The beginning of the first text that is no entry. */
  #firstOther: string | undefined;

  constructor({ since, stream, skip = 0 }: EntryLinesOptions = {}) {
    this.#since = since;
    this.#stream = stream;
    this.#skip = skip;
  }

  /** Number of lines so far, with the last one if it is open: the log API counts that too. */
  get linesBegun(): number {
    return this.lines + (this.#isLineStart ? 0 : 1);
  }

  /** Returns the lines, or their parts, of the entries that are complete with this chunk, in a buffer of their own. */
  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.#withRest(chunk);
    // A line is shorter than its entries.
    this.#begin(bytes.length);
    let at = 0;
    for (let end = bytes.indexOf(LF, at); end !== -1; end = bytes.indexOf(LF, at)) {
      this.#entry(bytes, at, end, true);
      at = end + 1;
    }
    // Copied, since the chunk belongs to the connection; an endless entry is cut rather than held.
    this.#rest = Buffer.from(bytes.subarray(at, at + MAX_ENTRY_BYTES));
    return this.#out.subarray(0, this.#length);
  }

  /**
   * Ends a file: returns its last entry if that has no newline (the runtime was stopped while it wrote). In the newest
   * file, that entry may continue, so the line stays without its newline.
   */
  endFile(isNewest: boolean): Uint8Array {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    this.#begin(rest.length);
    if (rest.length > 0) this.#entry(rest, 0, rest.length, !isNewest);
    return this.#out.subarray(0, this.#length);
  }

  /** The beginning of what was pushed, if none of it is an entry: these are no files of a CRI runtime. */
  get foreignText(): string | undefined {
    return this.#hasEntries ? undefined : this.#firstOther;
  }

  #begin(maxBytes: number): void {
    this.#out = Buffer.allocUnsafe(maxBytes);
    this.#length = 0;
  }

  #withRest(chunk: Uint8Array): Buffer {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
  }

  #entry(bytes: Buffer, start: number, end: number, isTerminated: boolean): void {
    const entry = readEntry(bytes, start, end);
    if (entry === undefined) {
      this.#firstOther ??= bytes.toString('utf8', start, Math.min(end, start + MAX_SHOWN));
      return;
    }
    const { stampEnd, tag, message, isPartial } = entry;
    this.#hasEntries = true;
    if (this.#stream !== undefined && bytes.toString('latin1', stampEnd + 1, tag - 1) !== this.#stream)
      return;
    if (this.#isLineStart) this.#beginLine(bytes, start, stampEnd);
    if (!this.#isLeftOut) this.#copy(bytes, message, end);
    this.#isLineStart = !isPartial;
    if (!isPartial) this.#endLine(isTerminated);
  }

  #beginLine(bytes: Buffer, start: number, stampEnd: number): void {
    this.#isLeftOut = this.#skip > 0 || this.#beganEarly(bytes, start, stampEnd);
    if (!this.#isLeftOut) this.#copy(bytes, start, stampEnd + 1);
  }

  #endLine(isTerminated: boolean): void {
    this.lines++;
    if (this.#skip > 0) this.#skip--;
    else if (!this.#isLeftOut && isTerminated) this.#out[this.#length++] = LF;
  }

  #copy(bytes: Buffer, from: number, to: number): void {
    bytes.copy(this.#out, this.#length, from, to);
    this.#length += to - from;
  }

  #beganEarly(bytes: Buffer, start: number, stampEnd: number): boolean {
    if (this.#since === undefined) return false;
    // Many lines share a second. The zone of a node may change.
    const second = bytes.subarray(start, start + SECOND_LENGTH);
    const isKnown = this.#second.equals(second) && bytes[stampEnd - 1] === Z;
    if (!isKnown) {
      const at = parseTimestamp(bytes.toString('latin1', start, stampEnd));
      this.#isEarly = at === undefined || at.seconds < this.#since.seconds;
      this.#second = bytes[stampEnd - 1] === Z ? Buffer.from(second) : Buffer.alloc(0);
    }
    return this.#isEarly;
  }
}

/** Returns the time of a file's first entry, from its bytes in order; undefined if its first MiB has none. */
export async function firstStampOf(chunks: AsyncIterable<Uint8Array>): Promise<Timestamp | undefined> {
  let head: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    // A connection may break the first entry into several chunks, which belong to it.
    head = Buffer.concat([head, chunk]);
    const stamp = firstStamp(head);
    if (stamp !== undefined || head.length > MAX_ENTRY_BYTES) return stamp;
  }
  return undefined;
}

/** Returns the time of the first entry of a file's first bytes; undefined if they hold none. */
export function firstStamp(bytes: Uint8Array): Timestamp | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < buffer.length; ) {
    const newline = buffer.indexOf(LF, at);
    const end = newline === -1 ? buffer.length : newline;
    const stampEnd = stampEndOf(buffer, at, end);
    const stamp = stampEnd === -1 ? undefined : parseTimestamp(buffer.toString('latin1', at, stampEnd));
    if (stamp !== undefined) return stamp;
    at = end + 1;
  }
  return undefined;
}
