import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { BucketCount } from '../../domain/coverage/scan.ts';
import { LEVELS } from '../../domain/filter.ts';
import { levelIndex } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import { SHAPE, type Shape } from '../../domain/records/line-shape.ts';
import { startOf } from '../../domain/records/record-rules.ts';
import { type KeptRows, type KnownFacts, type LineFacts, UNKNOWN_SHAPE } from '../kept/kept-rows.ts';
import { STAMP_BYTES } from '../kept/kept-scans.ts';
import { type RowSieve, VERDICTS } from '../kept/row-sieve.ts';
import { shapedLine, shapeOfLine } from '../match/leveled-line.ts';
import { RecordLines } from '../match/record-lines.ts';
import { ScanCounts } from './bucket-counts.ts';
import { HitList } from './hit-list.ts';
import type { ScanTests } from './scan-tests.ts';

/** The wanted results of a range. */
export interface TallyPlan {
  /** Counts by time and level in buckets of this width, one of BUCKET_WIDTHS_MS; undefined: none. */
  readonly bucketMs: number | undefined;
  /** The first matches of the range, or the last ones. A scan without counts ends when it has them. */
  readonly hits: { readonly order: 'oldest' | 'newest'; readonly count: number } | undefined;
}

export interface TallyOptions {
  readonly tests: ScanTests;
  readonly sieve: RowSieve;
  /** Judge and count neighboring lines of one record as one. */
  readonly isGrouping: boolean;
}

type Counts = ReturnType<ScanCounts<ContainerTarget>['of']>;

/** The results of a scan so far: counts and hits of what was read, and its amount. */
export class ScanTally {
  readonly hits: HitList | undefined;
  readonly #counts: ScanCounts<ContainerTarget> | undefined;
  readonly #tests: ScanTests;
  readonly #sieve: RowSieve;
  /** Incomplete records; undefined: each line is judged by itself. */
  readonly #records: RecordLines | undefined;
  /** Counts of the container whose lines are being taken. */
  #own: Counts | undefined;
  #found: LogRecord[] = [];
  #rows = 0;
  bytes = 0;
  /** Number of records, or of lines if these are not grouped; meaningless for a scan without counts. */
  lines = 0;
  matches = 0;

  constructor({ bucketMs, hits }: TallyPlan, { tests, sieve, isGrouping }: TallyOptions) {
    this.#counts = bucketMs === undefined ? undefined : new ScanCounts(bucketMs);
    this.hits = hits && new HitList(hits);
    this.#tests = tests;
    this.#sieve = sieve;
    if (isGrouping)
      this.#records = new RecordLines(tests, undefined, ({ record }, level, isShown, isLate) =>
        this.#count(record, level, isShown, isLate),
      );
  }

  get isCounting(): boolean {
    return this.#counts !== undefined;
  }

  get #readsLevels(): boolean {
    return this.isCounting || this.#tests.levels !== undefined;
  }

  /** Whether the messages of a kept block are needed. */
  readonly needsText = ({ hasLevels, hasShapes }: KnownFacts): boolean =>
    this.hits !== undefined ||
    this.#tests.isExcluding ||
    (this.#readsLevels && !hasLevels) ||
    (this.#records !== undefined && !hasShapes) ||
    this.#sieve.needsText;

  /** Returns how many of the last lines of a container belong to an incomplete record, which is not counted yet. */
  waitingOf({ id }: ContainerTarget): number {
    return this.#records?.waitingOf(id) ?? 0;
  }

  /** Ends a container: its waiting lines are complete. */
  settle(target: ContainerTarget): void {
    this.#begin(target);
    this.#records?.settle(target.id, ignore);
    this.#end();
  }

  /** Takes records that were read. Resolves to the facts that it had to detect. */
  async takeRecords(target: ContainerTarget, batch: readonly LogRecord[]): Promise<LineFacts | undefined> {
    const prepared = this.#tests.prepare?.(batch);
    if (prepared !== undefined) await prepared;
    this.#begin(target);
    const facts = this.#readsLevels ? this.#takeAll(target, batch) : this.#takeFound(batch);
    this.#end();
    let bytes = 0;
    for (const { message } of batch) bytes += message.length;
    this.bytes += bytes + batch.length * STAMP_BYTES;
    return facts;
  }

  /** Takes records that an earlier scan kept. */
  async takeRows(target: ContainerTarget, rows: KeptRows): Promise<undefined> {
    const judged = await this.#judge(rows);
    this.#begin(target);
    const records = this.#records;
    let isOpen = records?.isOpen(target.id) === true;
    for (let index = rows.first; index < rows.end; index++) {
      const level = rows.levelAt(index);
      const shape = records === undefined ? SHAPE.plain : rows.shapeAt(index);
      if (isOpen || !BEGINS_NO_RECORD[shape]) {
        const known = { level, shape, isMatch: judged.isFound(index) };
        const bytes = rows.facts.lengths[index]!;
        records!.addLine({ ...shapedLine(judged.recordAt(index), known), bytes }, ignore);
        isOpen = records!.isOpen(target.id);
        continue;
      }
      const isMatch = judged.isFound(index) && this.#passes(level, () => judged.recordAt(index));
      this.#note(rows.timeAt(index), level, isMatch);
      if (isMatch && this.hits?.isFull === false) this.#found.push(judged.recordAt(index));
    }
    this.#end();
    this.bytes += rows.messageBytes + rows.size * STAMP_BYTES;
  }

  /** Takes the buckets that have changed since the last call, and their width. */
  takeChanged(): readonly (readonly [ContainerTarget, number, readonly BucketCount[]])[] {
    const counts = this.#counts;
    if (counts === undefined) return [];
    return [...counts.takeChanged()].map(([target, buckets]) => [target, counts.widthMs, buckets]);
  }

  /** Takes every line, for levels or counts. */
  #takeAll(target: ContainerTarget, batch: readonly LogRecord[]): LineFacts {
    const records = this.#records;
    const shapes = new Uint8Array(batch.length).fill(UNKNOWN_SHAPE);
    const facts = { levels: new Uint8Array(batch.length), shapes };
    const found = this.#tests.matching?.(batch) ?? batch;
    let isOpen = records?.isOpen(target.id) === true;
    let next = 0;
    for (let index = 0; index < batch.length; index++) {
      const record = batch[index]!;
      const isFound = found[next] === record;
      if (isFound) next++;
      const level = levelIndex(record.message);
      facts.levels[index] = level;
      if (records !== undefined) {
        const shape = shapeOfLine(record, level);
        shapes[index] = shape;
        if (isOpen || !BEGINS_NO_RECORD[shape]) {
          records.addLine(shapedLine(record, { level, shape, isMatch: isFound }), ignore);
          isOpen = records.isOpen(target.id);
          continue;
        }
      }
      this.#count(record, level, isFound && this.#passes(level, () => record));
    }
    return facts;
  }

  /** Takes only lines near the found ones, if only hits are wanted; does not count records. */
  #takeFound(batch: readonly LogRecord[]): undefined {
    if (this.#records !== undefined) this.#records.addAll(batch, ignore);
    else
      for (const record of this.#tests.matching?.(batch) ?? batch)
        this.#count(record, NO_LEVEL, !this.#tests.excludes(record));
  }

  /** Judges kept records by their bytes, and by the tests of their lines if the bytes do not decide. */
  async #judge(rows: KeptRows): Promise<{
    readonly isFound: (index: number) => boolean;
    readonly recordAt: (index: number) => LogRecord;
  }> {
    const { first, end } = rows;
    const seq = this.#rows;
    this.#rows += rows.size;
    const made = new Map<number, LogRecord>();
    const recordAt = (index: number) => made.get(index) ?? rows.recordAt(index, seq + index - first);
    const verdicts = this.#sieve.judge(rows);
    const { isExcluding, prepare, matching } = this.#tests;
    // An exclusion applies to each line of a record.
    for (let index = first; index < end; index++)
      if (isExcluding || verdicts[index] === VERDICTS.unsure) made.set(index, recordAt(index));
    const unsure = [...made.values()];
    if (unsure.length > 0) await prepare?.(unsure);
    const found = new Set(matching?.(unsure) ?? unsure);
    const isFound = (index: number) => {
      const record = made.get(index);
      return record === undefined ? verdicts[index] === VERDICTS.passes : found.has(record);
    };
    return { isFound, recordAt };
  }

  #begin(target: ContainerTarget): void {
    this.#own = this.#counts?.of(target);
  }

  #end(): void {
    this.hits?.add(this.#found);
    this.#found = [];
  }

  /** Whether a one-line record that contains what is searched passes. */
  #passes(level: number, record: () => LogRecord): boolean {
    const { levels, isExcluding, excludes } = this.#tests;
    return levels?.has(level) !== false && !(isExcluding && excludes(record()));
  }

  #count(record: LogRecord, level: number, isMatch: boolean, isLate = false): void {
    if (isLate) this.#own?.addMatch(record.at, level);
    else this.#note(record.at, level, isMatch);
    if (isLate) this.matches++;
    if (isMatch && this.hits?.isFull === false) this.#found.push(record);
  }

  #note(at: Timestamp, level: number, isMatch: boolean): void {
    this.lines++;
    if (isMatch) this.matches++;
    this.#own?.add(at, level, isMatch);
  }
}

const NO_LEVEL = LEVELS.length;
/** Whether a line of a shape is a record by itself, whatever follows it. */
const BEGINS_NO_RECORD = Array.from({ length: 256 }, (_, shape) => startOf(shape as Shape) === 'none');

const ignore = () => undefined;
