import type { ContainerTarget } from '../../domain/container.ts';
import type { BucketCount } from '../../domain/coverage/scan.ts';
import { levelIndex } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { KeptRows } from '../kept/kept-rows.ts';
import { levelAt, type RowSieve, VERDICTS } from '../kept/row-sieve.ts';
import type { BatchFilter } from '../match/batch-filter.ts';
import { ScanCounts } from './bucket-counts.ts';
import { HitList } from './hit-list.ts';

/** Timestamp and space before each message. */
const STAMP_BYTES = 31;

/** What is wanted of a range. */
export interface TallyPlan {
  /** Counts by time and level in buckets of this width, one of BUCKET_WIDTHS_MS; undefined: none. */
  readonly bucketMs: number | undefined;
  /** The first matches of the range, or the last ones. A scan that counts nothing ends when it has them. */
  readonly hits: { readonly order: 'oldest' | 'newest'; readonly count: number } | undefined;
}

/** What a scan has found so far: counts and hits of what was read, and how much that was. */
export class ScanTally {
  readonly hits: HitList | undefined;
  readonly #counts: ScanCounts<ContainerTarget> | undefined;
  readonly #filter: BatchFilter | undefined;
  readonly #sieve: RowSieve;
  bytes = 0;
  lines = 0;
  matches = 0;

  constructor({ bucketMs, hits }: TallyPlan, filter: BatchFilter | undefined, sieve: RowSieve) {
    this.#counts = bucketMs === undefined ? undefined : new ScanCounts(bucketMs);
    this.hits = hits && new HitList(hits);
    this.#filter = filter;
    this.#sieve = sieve;
  }

  get isCounting(): boolean {
    return this.#counts !== undefined;
  }

  /** Whether it takes the messages of a kept block. */
  readonly needsText = (block: { readonly hasLevels: boolean }): boolean =>
    this.hits !== undefined || (this.isCounting && !block.hasLevels) || this.#sieve.needsText(block);

  /** Takes in records that were read. Resolves to their levels, if it had to detect them. */
  async takeRecords(target: ContainerTarget, batch: readonly LogRecord[]): Promise<Uint8Array | undefined> {
    const passed = await this.#passed(batch);
    const levels = this.isCounting ? new Uint8Array(batch.length) : undefined;
    const counts = this.#counts?.of(target);
    let next = 0;
    for (let index = 0; levels !== undefined && index < batch.length; index++) {
      const record = batch[index]!;
      const isMatch = passed[next] === record;
      if (isMatch) next++;
      const level = levelIndex(record.message);
      levels[index] = level;
      counts?.add(record.at, level, isMatch);
    }
    this.hits?.add(passed);
    let bytes = 0;
    for (const { message } of batch) bytes += message.length;
    this.#note(batch.length, bytes, passed.length);
    return levels;
  }

  /** Takes in records that an earlier scan kept. */
  async takeRows(target: ContainerTarget, rows: KeptRows): Promise<undefined> {
    const { first, end } = rows;
    const verdicts = this.#sieve.judge(rows);
    const seq = this.lines;
    const recordAt = (index: number) => rows.recordAt(index, seq + index - first);
    const unsure: LogRecord[] = [];
    for (let index = first; index < end; index++)
      if (verdicts[index] === VERDICTS.unsure) unsure.push(recordAt(index));
    const passed = unsure.length === 0 ? unsure : await this.#passed(unsure);
    const counts = this.#counts?.of(target);
    const hits: LogRecord[] = [];
    let [nextUnsure, nextPassed, matches] = [0, 0, 0];
    for (let index = first; index < end; index++) {
      let isMatch = verdicts[index] === VERDICTS.passes;
      if (verdicts[index] === VERDICTS.unsure) {
        isMatch = passed[nextPassed] === unsure[nextUnsure++];
        if (isMatch) nextPassed++;
      }
      if (isMatch) matches++;
      if (isMatch && this.hits?.isFull === false) hits.push(recordAt(index));
      counts?.add(rows.timeAt(index), levelAt(rows, index), isMatch);
    }
    this.hits?.add(hits);
    this.#note(rows.size, rows.messageBytes, matches);
  }

  /** The buckets that have changed since the last call, and their width. */
  takeChanged(): readonly (readonly [ContainerTarget, number, readonly BucketCount[]])[] {
    const counts = this.#counts;
    if (counts === undefined) return [];
    return [...counts.takeChanged()].map(([target, buckets]) => [target, counts.widthMs, buckets]);
  }

  async #passed(batch: readonly LogRecord[]): Promise<readonly LogRecord[]> {
    if (this.#filter === undefined) return batch;
    const prepared = this.#filter.prepare?.(batch);
    if (prepared !== undefined) await prepared;
    return this.#filter(batch);
  }

  #note(lines: number, messageBytes: number, matches: number): void {
    this.lines += lines;
    this.matches += matches;
    this.bytes += messageBytes + lines * STAMP_BYTES;
  }
}
