import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { firstStamp, type StreamName } from '../../backend/entry-lines.ts';
import { comparePositions, type LogPosition } from '../../backend/log-position.ts';
import type { StampIndex } from '../index/stamp-index.ts';
import { type Bound, DISORDER_SECONDS, type EntryQuery } from './entry-query.ts';
import { entriesBackwards, entriesForwards, isOfStream } from './file-entries.ts';
import type { LogFile, OpenLogFile } from './log-file.ts';
import type { LogFiles } from './log-files.ts';

const LF = 10;

/** A place in the files: before the entry that begins at or after that byte of a file. */
export interface Border {
  readonly index: number;
  readonly offset: number;
}

/** Where the entries of a query lie. */
export interface EntryRange {
  readonly start: Border;
  /** Undefined: the end of the last file. */
  readonly end: Border | undefined;
  /** The position asked for, if its file is gone. */
  readonly lostStart: LogPosition | undefined;
  readonly lostEnd: LogPosition | undefined;
  /** A line of the wanted stream that began before the start goes on after it. */
  readonly isLineOpen: boolean;
  /** No file begins before an older one: else the clock was set back, and every file may have lines of any time. */
  readonly isOrdered: boolean;
}

/** Finds where the entries of a query lie. Reads little of the files. Throws what they throw. */
export async function rangeOf(files: LogFiles, query: EntryQuery, stamps: StampIndex): Promise<EntryRange> {
  const isOrdered = isInOrder(files.files);
  const finder = new BorderFinder(files, stamps, isOrdered);
  const start = await finder.start(query.lower);
  const end = await finder.end(query);
  // Without a choice of streams, the first entry shows it: it is too early.
  const isSought = query.lower?.point.kind === 'time' && query.stream !== undefined;
  const isLineOpen = isSought && (await isOpenBefore(files, start.border, query.stream));
  return {
    isLineOpen,
    start: start.border,
    end: end.border,
    lostStart: start.lost,
    lostEnd: end.lost,
    isOrdered,
  };
}

interface Found<P> {
  readonly border: P;
  readonly lost?: LogPosition;
}

class BorderFinder {
  readonly #files: LogFiles;
  readonly #stamps: StampIndex;
  readonly #isOrdered: boolean;

  constructor(files: LogFiles, stamps: StampIndex, isOrdered: boolean) {
    this.#files = files;
    this.#stamps = stamps;
    this.#isOrdered = isOrdered;
  }

  async start(bound: Bound | undefined): Promise<Found<Border>> {
    if (bound === undefined) return { border: { index: 0, offset: 0 } };
    const { point, isInclusive } = bound;
    if (point.kind === 'position') return this.#borderOf(point.position, isInclusive ? 0 : 1);
    return { border: await this.#startOfTime(point.at) };
  }

  async end({ upper, direction, stream }: EntryQuery): Promise<Found<Border | undefined>> {
    if (upper === undefined) return { border: undefined };
    const { point, isInclusive } = upper;
    if (point.kind === 'position') return this.#borderOf(point.position, isInclusive ? 1 : 0);
    // Read forwards, the lines themselves show where the time is over.
    return { border: direction === 'forward' ? undefined : await this.#endOfTime(point.at, stream) };
  }

  /** Returns the place of a position; the beginning of what comes after it, if its file is gone. */
  #borderOf(position: LogPosition, more: 0 | 1): Found<Border> {
    const { files } = this.#files;
    const index = files.findIndex((file) => isFileOf(file, position));
    if (index !== -1) return { border: { index, offset: position.offset + more } };
    const later = files.findIndex(({ run, first }) => {
      const begin = { run, file: first, offset: 0 };
      return first !== undefined && comparePositions(begin, position) > 0;
    });
    const border = { index: later === -1 ? files.length : later, offset: 0 };
    const isWhole = position.file === undefined && files[later]?.run === position.run;
    return isWhole ? { border } : { border, lost: position };
  }

  async #startOfTime(at: Timestamp): Promise<Border> {
    const { files } = this.#files;
    const limit = at.seconds - DISORDER_SECONDS;
    const index = this.#isOrdered ? files.findLastIndex(({ first }) => isBefore(first, limit)) : -1;
    if (index === -1) return { index: 0, offset: 0 };
    const isEarly = (stamp: Timestamp | undefined) => stamp !== undefined && isBefore(stamp, limit);
    const offset = await this.#within(index, async (file, blocks, key) => {
      const after = await firstBlock(
        blocks,
        async (block) => !isEarly(await this.#stampOf(file, block, key)),
      );
      return after <= 1 ? 0 : borderFrom(file, (after - 1) * this.#stamps.blockBytes);
    });
    return { index, offset: offset ?? 0 };
  }

  /** Returns a place after which no line of that time or an earlier one begins; the last such line ends before it. */
  async #endOfTime(at: Timestamp, stream: StreamName | undefined): Promise<Border | undefined> {
    const { files } = this.#files;
    if (!this.#isOrdered) return undefined;
    const isLate = (stamp: Timestamp | undefined) =>
      stamp !== undefined && stamp.seconds > at.seconds + DISORDER_SECONDS;
    const late = files.findIndex(({ first }) => isLate(first));
    const last = late === -1 ? files.length - 1 : late - 1;
    const about = files[last];
    if (about === undefined) return { index: 0, offset: 0 };
    const border = await this.#within(last, async (file, blocks, key) => {
      const block = await firstBlock(blocks, async (each) => {
        const stamp = await this.#stampOf(file, each, key);
        return stamp === undefined || isLate(stamp);
      });
      if (block >= blocks)
        return late !== -1 && (await goesOn(about, file, stream)) === false
          ? { index: late, offset: 0 }
          : undefined;
      const border = await borderFrom(file, block * this.#stamps.blockBytes);
      const offset = await endOfLine(about, file, border, stream);
      return offset === undefined ? undefined : { index: last, offset };
    });
    // Else a line that began in time may end in the next file.
    return border;
  }

  /** Searches a file, as one of a single block if it is compressed; undefined if it is gone. */
  async #within<T>(
    index: number,
    search: (file: OpenLogFile, blocks: number, key: string) => Promise<T>,
  ): Promise<T | undefined> {
    const first = this.#files.files[index]?.first;
    if (first === undefined) return undefined;
    const file = await this.#files.open(index);
    if (file === undefined) return undefined;
    try {
      const blocks = file.isPacked ? 1 : Math.ceil(file.size / this.#stamps.blockBytes);
      // A file may get the number of one that was removed.
      return await search(file, blocks, `${file.id}:${first.seconds}.${first.nanos}`);
    } finally {
      await file.close();
    }
  }

  /** Returns the time of the first entry that begins in or after a block. */
  async #stampOf(file: OpenLogFile, block: number, key: string): Promise<Timestamp | undefined> {
    const known = this.#stamps.get(key, block);
    if (known !== undefined) return known;
    const from = await borderFrom(file, block * this.#stamps.blockBytes);
    let head: Buffer = Buffer.alloc(0);
    for await (const { bytes } of file.forwards(from)) {
      head = Buffer.concat([head, bytes]);
      const stamp = firstStamp(head);
      if (stamp === undefined) continue;
      this.#stamps.set(key, block, stamp);
      return stamp;
    }
    return undefined;
  }
}

/** Returns the first place at or after a byte where an entry may begin: after a newline, or the end of the file. */
export async function borderFrom(file: OpenLogFile, offset: number): Promise<number> {
  if (offset === 0) return 0;
  let end = offset;
  for await (const { from, bytes } of file.forwards(offset - 1)) {
    const newline = bytes.indexOf(LF);
    if (newline !== -1) return from + newline + 1;
    end = from + bytes.length;
  }
  return end;
}

/** Returns the place at or after a border of entries where no line of the stream goes on; undefined: not in the file. */
async function endOfLine(
  about: LogFile,
  file: OpenLogFile,
  border: number,
  stream: StreamName | undefined,
): Promise<number | undefined> {
  if ((await goesOn(about, file, stream, border)) === false) return border;
  for await (const { entries } of entriesForwards(about, file.forwards(border))) {
    const last = entries.find((entry) => !entry.isPartial && isOfStream(entry, stream));
    if (last !== undefined) return last.next;
  }
  return undefined;
}

/** Whether the last entry of the stream before a border, or in the file, is continued; undefined: there is none. */
async function goesOn(
  about: LogFile,
  file: OpenLogFile,
  stream: StreamName | undefined,
  border?: number,
): Promise<boolean | undefined> {
  for await (const { entries } of entriesBackwards(about, file.backwards(border))) {
    const before = entries.find((entry) => isOfStream(entry, stream));
    if (before !== undefined) return before.isPartial;
  }
  return undefined;
}

/** Whether the last entry of the stream before a border, in its run, is continued. */
async function isOpenBefore(
  files: LogFiles,
  { index: start, offset }: Border,
  stream: StreamName | undefined,
): Promise<boolean> {
  const run = files.files[start]?.run;
  for (let index = start; index >= 0; index--) {
    const about = files.files[index];
    if (about === undefined || about.run !== run) break;
    const file = about.first === undefined ? undefined : await files.open(index);
    if (file === undefined) return false;
    try {
      const isOpen = await goesOn(about, file, stream, index === start ? offset : undefined);
      if (isOpen !== undefined) return isOpen;
    } finally {
      await file.close();
    }
  }
  return false;
}

/** Returns the first block, from the second on, of which a test holds; it holds for all later ones. `blocks`: of none. */
async function firstBlock(blocks: number, test: (block: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, Math.max(blocks, 1)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await test(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function isFileOf({ run, first }: LogFile, { run: wanted, file }: LogPosition): boolean {
  if (run !== wanted || first === undefined || file === undefined) return false;
  return compareTimestamps(first, file) === 0;
}

function isBefore(stamp: Timestamp | undefined, seconds: number): boolean {
  return stamp !== undefined && stamp.seconds < seconds;
}

function isInOrder(files: readonly LogFile[]): boolean {
  let before = Number.NEGATIVE_INFINITY;
  for (const { first } of files) {
    if (first === undefined) continue;
    if (first.seconds < before - DISORDER_SECONDS) return false;
    before = Math.max(before, first.seconds);
  }
  return true;
}
