import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { LogPosition } from '../../backend/log-position.ts';
import type { BucketCount } from '../../domain/coverage/scan.ts';
import type { FilterPlan } from '../../domain/filter.ts';
import { sieveOf } from '../../stream/kept/row-sieve.ts';
import { ScanTally } from '../../stream/scan/scan-tally.ts';
import { type ScanTests, scanTestsOf } from '../../stream/scan/scan-tests.ts';
import type { EntryQuery } from '../entries/entry-query.ts';
import type { FileEntry } from '../entries/file-entries.ts';
import type { LogFiles } from '../entries/log-files.ts';
import { type WalkOptions, walkEntries } from '../entries/walk-entries.ts';
import { type JoinedLine, JoinedLines, type SearchedContainer } from './joined-lines.ts';
import { ScanProgress } from './scan-progress.ts';
import { endOf, isSamePosition, type SearchItem } from './search-entries.ts';

/** What a count yields. */
export type CountItem =
  | Exclude<SearchItem, { readonly kind: 'entries' }>
  /** The counts of what was read. The buckets may be wider than asked for, because timestamps may be anything. */
  | { readonly kind: 'counts'; readonly bucketMs: number; readonly buckets: readonly BucketCount[] };

export interface CountPlan {
  /** Without a limit, and forwards. */
  readonly query: EntryQuery;
  /** Without context lines. */
  readonly filter: FilterPlan;
  /** One of BUCKET_WIDTHS_MS. */
  readonly bucketMs: number;
  readonly maxScan: number | undefined;
}

export interface CountContext extends Pick<WalkOptions, 'stamps'> {
  readonly container: SearchedContainer;
  readonly tests: ScanTests;
  readonly clock: Clock;
}

/** Compiles the tests of a count. Throws usage errors for invalid or too large patterns. */
export function countTestsOf(filter: FilterPlan, signal: AbortSignal): Promise<ScanTests> {
  return scanTestsOf({ signal }, { filter });
}

/**
 * Counts lines and matches by time and level, with the rules of a scan of the engine, of lines that are read here. Throws
 * what reading and matching throw.
 */
export async function* countLines(
  files: LogFiles,
  plan: CountPlan,
  context: CountContext,
): AsyncGenerator<CountItem, void, undefined> {
  const progress = new ScanProgress(await files.textBytes(), context.clock);
  const count = new LineCount(plan, context);
  let begun: LogPosition | undefined;
  for await (const item of walkEntries(files, plan.query, { stamps: context.stamps })) {
    if (item.kind === 'end') {
      await count.end();
      yield* lastOf(count, progress, item.begun ?? begun, item.position);
      return;
    }
    if (item.kind !== 'entries') {
      if (item.kind === 'line-end') await count.endLine();
      else yield item;
      continue;
    }
    begun ??= item.begun;
    await count.take(item.entries);
    yield* progress.add(item.bytes);
    const position = count.completeTo(item.reached);
    const isFar = plan.maxScan !== undefined && progress.done >= plan.maxScan;
    // It gets on with each request, however small the number of bytes.
    if (!isFar || isSamePosition(position, begun)) continue;
    yield* lastOf(count, progress, begun, position);
    return;
  }
}

function* lastOf(
  count: LineCount,
  progress: ScanProgress,
  begun: LogPosition | undefined,
  position: LogPosition | undefined,
): Generator<CountItem> {
  yield progress.last();
  yield count.counts();
  yield* endOf(true, begun, position);
}

class LineCount {
  readonly #plan: CountPlan;
  readonly #tally: ScanTally;
  readonly #lines: JoinedLines;
  /** The first entries of the lines whose record may go on: they are not counted yet. */
  #waiting: readonly FileEntry[] = [];

  constructor(plan: CountPlan, { container, tests }: CountContext) {
    const { bucketMs, filter } = plan;
    this.#plan = plan;
    const sieve = sieveOf(filter, tests.matchers);
    const isGrouping = filter.wholeRecords === true;
    this.#tally = new ScanTally({ bucketMs, hits: undefined }, { tests, sieve, isGrouping });
    this.#lines = new JoinedLines(container, 'forward');
  }

  take(entries: readonly FileEntry[]): Promise<void> {
    return this.#count(this.#lines.take(entries));
  }

  endLine(): Promise<void> {
    return this.#count(this.#lines.end());
  }

  /** Counts what waits for later lines. */
  async end(): Promise<void> {
    await this.endLine();
    this.#tally.settle(this.#lines.target);
    this.#waiting = [];
  }

  counts(): CountItem {
    const [changed] = this.#tally.takeChanged();
    const [, bucketMs = this.#plan.bucketMs, buckets = []] = changed ?? [];
    return { kind: 'counts', bucketMs, buckets };
  }

  /** Returns the place to which everything was counted: not the line or the record that may go on. */
  completeTo(reached: LogPosition | undefined): LogPosition | undefined {
    const first = this.#waiting[0] ?? this.#lines.open;
    return first === undefined
      ? reached
      : { run: first.file.run, file: first.file.first, offset: first.offset };
  }

  async #count(lines: readonly JoinedLine[]): Promise<void> {
    if (lines.length === 0) return;
    const records = lines.map(({ record }) => record);
    await this.#tally.takeRecords(this.#lines.target, records);
    const firsts = [...this.#waiting, ...lines.map(({ entries }) => entries[0]!)];
    const waiting = this.#tally.waitingOf(this.#lines.target);
    this.#waiting = waiting === 0 ? [] : firsts.slice(-waiting);
  }
}
