import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { comparePositions, type LogPosition } from '../../backend/log-position.ts';
import type { FilterPlan } from '../../domain/filter.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { BatchFilter } from '../../stream/match/batch-filter.ts';
import type { RecordFilter } from '../../stream/match/compile-filter.ts';
import type { EntryQuery } from '../entries/entry-query.ts';
import type { FileEntry, Stretches } from '../entries/file-entries.ts';
import type { LogFiles } from '../entries/log-files.ts';
import { type LogItem, type WalkOptions, walkEntries } from '../entries/walk-entries.ts';
import { type JoinedLine, JoinedLines, type SearchedContainer } from './joined-lines.ts';
import { needleStretches } from './needle-stretches.ts';
import { ScanProgress } from './scan-progress.ts';

/** What a search yields: matching entries, how far it is, and at the end what was searched. */
export type SearchItem =
  | LogItem
  /** Bytes of text that were searched, of about so many. */
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  /** All between these places was searched; undefined: nothing was. */
  | {
      readonly kind: 'coverage';
      readonly from: LogPosition | undefined;
      readonly to: LogPosition | undefined;
    };

export interface SearchPlan {
  /** `limit`: of matches. */
  readonly query: EntryQuery;
  readonly filter: FilterPlan;
  /** Bytes of text after which the search ends, at the end of a line. */
  readonly maxScan: number | undefined;
}

export interface SearchContext extends Pick<WalkOptions, 'stamps'> {
  readonly container: SearchedContainer;
  readonly compiled: RecordFilter;
  readonly clock: Clock;
}

/**
 * Yields the entries of lines that match, with context lines around them, in the direction of the query. Throws what
 * reading and matching throw.
 */
export async function* searchEntries(
  files: LogFiles,
  plan: SearchPlan,
  context: SearchContext,
): AsyncGenerator<SearchItem, void, undefined> {
  const { query } = plan;
  const isForward = query.direction === 'forward';
  const progress = new ScanProgress(await files.textBytes(), context.clock);
  const search = new LineSearch(files, plan, context);
  const walk = { stamps: context.stamps, stretches: stretchesOf(plan) };
  let begun: LogPosition | undefined;
  for await (const item of walkEntries(files, { ...query, limit: undefined }, walk)) {
    if (item.kind === 'file' || item.kind === 'gap') {
      yield item;
    } else if (item.kind === 'line-end') {
      yield* found(await search.endLine(), undefined);
    } else if (item.kind === 'end') {
      const position = search.endAt(item.position);
      yield* found(await search.endLine(), item.position);
      yield progress.last();
      yield* endOf(isForward, item.begun, search.stoppedAt ?? position);
    } else if (item.kind === 'entries') {
      begun ??= item.begun;
      yield* found(await search.take(item.entries), item.reached);
      yield* progress.add(item.bytes);
      const position = search.completeTo(item.reached);
      if (!search.isEnough(progress.done, begun, position)) continue;
      yield progress.last();
      yield* endOf(isForward, begun, position);
      return;
    } else item satisfies never;
  }
}

/** Returns which bytes must be read: all if lines around matches are wanted, or if the pattern requires no text. */
function stretchesOf({ query, filter }: SearchPlan): Stretches | undefined {
  const { grep, ignoreCase, beforeContext, afterContext } = filter;
  if (grep === undefined || beforeContext > 0 || afterContext > 0) return undefined;
  return needleStretches(grep, ignoreCase, query.stream);
}

function* found(entries: readonly FileEntry[], reached: LogPosition | undefined): Generator<SearchItem> {
  if (entries.length > 0) yield { kind: 'entries', entries, bytes: 0, reached, begun: undefined };
}

/** Whether two positions are one. */
export function isSamePosition(a: LogPosition | undefined, b: LogPosition | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return comparePositions(a, b) === 0;
}

/** Names what was searched, and where to go on. */
export function* endOf(
  isForward: boolean,
  begun: LogPosition | undefined,
  position: LogPosition | undefined,
): Generator<Exclude<SearchItem, { readonly kind: 'entries' }>> {
  const [from, to] = isForward ? [begun, position] : [position, begun];
  yield { kind: 'coverage', from, to };
  yield { kind: 'end', position, begun };
}

/** Judges lines, and finds where enough of them were found. */
class LineSearch {
  readonly #files: LogFiles;
  readonly #filter: BatchFilter;
  readonly #lines: JoinedLines;
  readonly #isForward: boolean;
  readonly #limit: number;
  readonly #context: number;
  readonly #maxScan: number;
  /** The lines whose records the filter may still report. */
  readonly #entries = new Map<LogRecord, JoinedLine>();
  #matches = 0;
  /** Lines after the last match that is wanted. */
  #after = 0;
  isOver = false;
  stoppedAt: LogPosition | undefined;

  constructor(
    files: LogFiles,
    { query, filter, maxScan = Number.POSITIVE_INFINITY }: SearchPlan,
    { compiled, container }: SearchContext,
  ) {
    this.#files = files;
    this.#maxScan = maxScan;
    this.#filter = compiled.open();
    this.#lines = new JoinedLines(container, query.direction);
    this.#isForward = query.direction === 'forward';
    this.#limit = query.limit ?? Number.POSITIVE_INFINITY;
    this.#context = filter.afterContext;
  }

  take(entries: readonly FileEntry[]): Promise<readonly FileEntry[]> {
    return this.#judge(this.#lines.take(entries));
  }

  endLine(): Promise<readonly FileEntry[]> {
    return this.#judge(this.#lines.end());
  }

  /** Whether it may end: it has all matches that are wanted, or has read enough bytes and got on at all. */
  isEnough(bytes: number, begun: LogPosition | undefined, position: LogPosition | undefined): boolean {
    return this.isOver || (bytes >= this.#maxScan && !isSamePosition(position, begun));
  }

  /**
   * Returns the place to which everything was judged: not the line that may go on. With what follows, such a line comes
   * again with all its entries, and whether it matches can change.
   */
  completeTo(reached: LogPosition | undefined): LogPosition | undefined {
    const { open, last } = this.#lines;
    if (this.stoppedAt !== undefined) return this.stoppedAt;
    if (open !== undefined) return this.#isForward ? startOf(open) : endOfEntry(open);
    const [first, final] = [last[0], last.at(-1)];
    const isUnended = this.#isForward && final !== undefined && isSamePosition(reached, startOf(final));
    return isUnended && first !== undefined ? startOf(first) : reached;
  }

  /** Returns where a search ends that reached the end of the files. */
  endAt(reached: LogPosition | undefined): LogPosition | undefined {
    return this.#isForward ? this.completeTo(reached) : reached;
  }

  async #judge(lines: readonly JoinedLine[]): Promise<readonly FileEntry[]> {
    if (lines.length === 0 || this.isOver) return [];
    const records = lines.map(({ record }) => record);
    await this.#filter.prepare?.(records);
    const wanted: FileEntry[] = [];
    const { context } = this.#filter;
    if (context === undefined) {
      const byRecord = new Map(lines.map((line) => [line.record, line]));
      for (const record of this.#filter(records)) this.#show(byRecord.get(record)!, true, wanted);
      return wanted;
    }
    for (const line of lines) this.#entries.set(line.record, line);
    context.mark(records, (record, role) => {
      const line = this.#entries.get(record);
      this.#entries.delete(record);
      if (line !== undefined && role !== undefined) this.#show(line, role === 'match', wanted);
      else if (this.#matches >= this.#limit) this.isOver = true;
    });
    return wanted;
  }

  #show(line: JoinedLine, isMatch: boolean, wanted: FileEntry[]): void {
    if (this.isOver) return;
    if (this.#matches >= this.#limit) this.#after++;
    else if (isMatch) this.#matches++;
    wanted.push(...line.entries);
    if (this.#matches < this.#limit) return;
    const last = line.entries.at(-1)!;
    this.stoppedAt = this.#isForward ? this.#files.positionAfter(last) : startOf(last);
    if (this.#after >= this.#context) this.isOver = true;
  }
}

function startOf({ file, offset }: FileEntry): LogPosition {
  return { run: file.run, file: file.first, offset };
}

function endOfEntry({ file, next }: FileEntry): LogPosition {
  return { run: file.run, file: file.first, offset: next };
}
