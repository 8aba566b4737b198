import type { LogPosition } from '../../backend/log-position.ts';
import { type UnreadableBecause, UnreadableFile } from '../files/unreadable-file.ts';
import type { StampIndex } from '../index/stamp-index.ts';
import type { EntryQuery } from './entry-query.ts';
import { borderFrom, type EntryRange, rangeOf } from './entry-range.ts';
import {
  type EntryBatch,
  entriesBackwards,
  entriesForwards,
  type FileEntry,
  type Stretches,
} from './file-entries.ts';
import type { LogFile, OpenLogFile } from './log-file.ts';
import type { LogFiles } from './log-files.ts';
import { type WantedLines, wantedLines } from './wanted-lines.ts';

/** Why entries are missing: the kubelet removed their file, or it cannot be read. */
export type EntryGapCause = 'removed' | UnreadableBecause;

/** What reading yields, in the order that was asked for. */
export type LogItem =
  /** The next entries are of this file. */
  | { readonly kind: 'file'; readonly file: LogFile }
  /** Wanted entries, maybe none, of so many bytes of the file that were read for them. */
  | {
      readonly kind: 'entries';
      readonly entries: readonly FileEntry[];
      readonly bytes: number;
      /** All from where the reading began to this place was read. */
      readonly reached: LogPosition | undefined;
      readonly begun: LogPosition | undefined;
    }
  /** The line of the last entry does not go on. */
  | { readonly kind: 'line-end' }
  /** What is missing between two places, the older one first; undefined: not known. */
  | {
      readonly kind: 'gap';
      readonly from: LogPosition | undefined;
      readonly to: LogPosition | undefined;
      readonly cause: EntryGapCause;
    }
  /** All from where the reading began to this place was read; the last item. Undefined: there is nothing at all. */
  | {
      readonly kind: 'end';
      readonly position: LogPosition | undefined;
      /** Where the reading began. */
      readonly begun: LogPosition | undefined;
    };

export interface WalkOptions {
  readonly stamps: StampIndex;
  /** Reads only those parts of the files. */
  readonly stretches?: Stretches | undefined;
}

/**
 * Yields the entries that a query wants, file after file, and names what is missing. Throws what the folder of the files
 * throws; a file that cannot be read is a gap.
 */
export async function* walkEntries(
  files: LogFiles,
  query: EntryQuery,
  options: WalkOptions,
): AsyncGenerator<LogItem, void, undefined> {
  const range = await rangeOf(files, query, options.stamps);
  yield* new EntryWalk(files, query, range, options).items();
}

class EntryWalk {
  readonly #files: LogFiles;
  readonly #query: EntryQuery;
  readonly #range: EntryRange;
  readonly #stretches: Stretches | undefined;
  readonly #wanted: WantedLines;
  readonly #isForward: boolean;
  #reached: LogPosition | undefined;
  #begun: LogPosition | undefined;

  constructor(files: LogFiles, query: EntryQuery, range: EntryRange, { stretches }: WalkOptions) {
    this.#files = files;
    this.#query = query;
    this.#range = range;
    this.#stretches = stretches;
    this.#wanted = wantedLines(query, range);
    this.#isForward = query.direction === 'forward';
  }

  async *items(): AsyncGenerator<LogItem, void, undefined> {
    const indexes = this.#indexes();
    this.#reached = this.#begin(indexes[0]);
    yield* this.#borderGap(this.#isForward ? 'start' : 'end');
    let before: LogFile | undefined;
    for (const index of indexes) {
      const file = this.#files.files[index]!;
      yield* this.#missingRuns(before, file);
      yield* this.#readFile(index, file);
      if (this.#wanted.isOver) break;
      before = file;
    }
    if (!this.#wanted.isOver) {
      yield* this.#endLine(true);
      yield* this.#borderGap(this.#isForward ? 'end' : 'start');
    }
    const stopped = this.#wanted.stoppedAt;
    if (stopped !== undefined) {
      const { entry, offset } = stopped;
      const isAfter = this.#isForward && offset === entry.next;
      this.#reached = isAfter ? this.#files.positionAfter(entry) : positionIn(entry.file, offset);
    }
    yield { kind: 'end', position: this.#reached, begun: this.#begun };
  }

  /** Returns the files to read, in the order of reading. */
  #indexes(): readonly number[] {
    const { start, end = { index: this.#files.files.length, offset: 0 } } = this.#range;
    const last = end.offset > 0 ? end.index : end.index - 1;
    const indexes = Array.from({ length: Math.max(0, last - start.index + 1) }, (_, at) => start.index + at);
    return this.#isForward ? indexes : indexes.reverse();
  }

  /** Where the reading begins, as far as it is known without reading. */
  #begin(first: number | undefined): LogPosition | undefined {
    const { start, end } = this.#range;
    const border = this.#isForward ? start : end;
    const at = border?.index ?? first;
    const begin = at === undefined ? undefined : this.#files.beginOf(at);
    return begin && { ...begin, offset: border?.offset ?? 0 };
  }

  /** Names a position that was asked for and is gone, with all up to what is there; and runs before the first one. */
  *#borderGap(side: 'start' | 'end'): Generator<LogItem, void, undefined> {
    const { lostStart, lostEnd, start, end } = this.#range;
    if (side === 'end') {
      const border = end ?? { index: this.#files.files.length, offset: 0 };
      if (lostEnd !== undefined) yield gap(this.#files.beginOf(border.index - 1), lostEnd, 'removed');
      return;
    }
    const first = this.#files.beginOf(start.index);
    if (lostStart !== undefined) yield gap(lostStart, first, 'removed');
    else if (
      this.#query.lower === undefined &&
      this.#files.isOfAllRuns &&
      first !== undefined &&
      first.run > 0
    )
      yield gap({ run: 0, file: undefined, offset: 0 }, first, 'removed');
  }

  /** Names runs between two files, one of which was read after the other. */
  *#missingRuns(before: LogFile | undefined, file: LogFile): Generator<LogItem, void, undefined> {
    if (before === undefined || before.run === file.run) return;
    yield* this.#endLine();
    const [older, newer] = this.#isForward ? [before, file] : [file, before];
    if (newer.run - older.run === 1) return;
    yield gap({ run: older.run + 1, file: undefined, offset: 0 }, positionIn(newer, 0), 'removed');
  }

  async *#readFile(index: number, file: LogFile): AsyncGenerator<LogItem, void, undefined> {
    let cause: EntryGapCause = 'removed';
    try {
      const opened = await this.#files.open(index);
      if (opened !== undefined) {
        try {
          yield* this.#readOpen(index, file, opened);
          return;
        } finally {
          await opened.close();
        }
      }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      cause = error.because;
    }
    yield* this.#endLine();
    yield this.#gapIn(index, file, cause);
  }

  async *#readOpen(
    index: number,
    file: LogFile,
    opened: OpenLogFile,
  ): AsyncGenerator<LogItem, void, undefined> {
    yield { kind: 'file', file };
    const { start, end } = this.#range;
    const from = start.index === index ? await borderFrom(opened, start.offset) : 0;
    const to = end?.index === index ? await borderFrom(opened, end.offset) : undefined;
    // Somebody emptied it: what was asked for is not in it any more.
    if (!opened.isPacked && from > opened.size) throw new UnreadableFile(opened.name, 'cut');
    const begin = this.#isForward ? from : to;
    if (begin !== undefined) this.#reached = positionIn(file, begin);
    const batches = this.#isForward
      ? entriesForwards(file, opened.forwards(from, to), this.#stretches)
      : untilOffset(entriesBackwards(file, opened.backwards(to), this.#stretches), from);
    for await (const batch of batches) {
      this.#begun ??= positionIn(file, begin ?? batch.end);
      yield this.#take(file, batch);
      if (this.#wanted.isOver) return;
    }
  }

  #take(file: LogFile, { entries, bytes, reached }: EntryBatch): LogItem {
    const last = this.#isForward ? entries.at(-1) : undefined;
    this.#reached = last?.isEnded === false ? this.#files.positionAfter(last) : positionIn(file, reached);
    const wanted = this.#wanted.take(entries);
    const { held } = this.#wanted;
    const complete = held === undefined ? this.#reached : positionIn(held.file, held.next);
    return { kind: 'entries', entries: wanted, bytes, reached: complete, begun: this.#begun };
  }

  *#endLine(isAtBorder = false): Generator<LogItem, void, undefined> {
    const entries = this.#wanted.endLine(isAtBorder);
    if (entries.length > 0)
      yield { kind: 'entries', entries, bytes: 0, reached: this.#reached, begun: this.#begun };
    yield { kind: 'line-end' };
  }

  /** A place before a file of which nothing is known: the beginning of the file before it, or of the run. */
  #beforeOf(index: number): LogPosition | undefined {
    const { run } = this.#files.files[index]!;
    const isFirst = this.#files.files[index - 1]?.run !== run;
    return isFirst ? { run, file: undefined, offset: 0 } : this.#files.beginOf(index - 1);
  }

  /** What of a file could not be read. */
  #gapIn(index: number, file: LogFile, cause: EntryGapCause): LogItem {
    const begin = file.first === undefined ? undefined : positionIn(file, 0);
    const reached = isIn(this.#reached, file) ? this.#reached : undefined;
    return this.#isForward
      ? gap(reached ?? begin ?? this.#reached, this.#files.beginOf(index + 1), cause)
      : gap(begin ?? this.#beforeOf(index), reached ?? this.#files.beginOf(index + 1), cause);
  }
}

async function* untilOffset(
  batches: AsyncIterable<EntryBatch>,
  from: number,
): AsyncGenerator<EntryBatch, void, undefined> {
  for await (const batch of batches) {
    if (batch.reached > from) {
      yield batch;
      continue;
    }
    yield { ...batch, entries: batch.entries.filter(({ offset }) => offset >= from), reached: from };
    return;
  }
}

function positionIn({ run, first }: LogFile, offset: number): LogPosition {
  return { run, file: first, offset };
}

function isIn(position: LogPosition | undefined, { run, first }: LogFile): boolean {
  return position?.run === run && position.file !== undefined && position.file === first;
}

function gap(from: LogPosition | undefined, to: LogPosition | undefined, cause: EntryGapCause): LogItem {
  return { kind: 'gap', from, to, cause };
}
