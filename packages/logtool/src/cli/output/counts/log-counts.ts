import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import { isLost } from '../../../domain/coverage/lost.ts';
import {
  BUCKET_WIDTHS_MS,
  type BucketCount,
  COUNTED_LEVELS,
  type ScanFrame,
} from '../../../domain/coverage/scan.ts';

/** A container whose range was not completely counted, and the part that was. */
export interface IncompleteCount {
  readonly target: ContainerTarget;
  readonly counted: Interval | undefined;
}

/** What may be missing of one container's range, and why. */
type MissingRecords = Extract<ScanFrame, { readonly type: 'gap' }>;

/** Collects the counts of a scan. */
export class LogCounts {
  records = 0;
  matches = 0;
  bucketMs = 1;
  readonly range: Interval;
  /** By container ID and start of the bucket in ms. */
  readonly #known = new Map<string, Map<number, BucketCount>>();
  #incomplete: readonly ContainerTarget[] = [];
  readonly #covered = new Map<string, Interval>();
  /** What the nodes no longer have of the range. */
  readonly lost: MissingRecords[] = [];
  /** What could not be read of the range for another reason, such as a previous run that the node refuses. */
  readonly unread: MissingRecords[] = [];

  constructor(range: Interval) {
    this.range = range;
  }

  take(frame: ScanFrame): void {
    if (frame.type === 'counts') {
      if (frame.bucketMs !== this.bucketMs) this.#known.clear();
      this.bucketMs = frame.bucketMs;
      const known = this.#known.get(frame.target.id) ?? new Map<number, BucketCount>();
      this.#known.set(frame.target.id, known);
      for (const bucket of frame.buckets) known.set(bucket.fromMs, bucket);
    } else if (frame.type === 'coverage') {
      this.#covered.set(frame.target.id, { from: frame.from, to: frame.to });
    } else if (frame.type === 'gap') {
      (isLost(frame.cause) ? this.lost : this.unread).push(frame);
    } else if (frame.type === 'scanned') {
      this.records = frame.lines ?? 0;
      this.matches = frame.matches;
      this.#incomplete = frame.incomplete;
    } else frame.type satisfies 'hits' | 'notice' | 'scanning' | 'source';
  }

  get incomplete(): readonly IncompleteCount[] {
    return this.#incomplete.map((target) => ({ target, counted: this.#covered.get(target.id) }));
  }

  /** Whether any part of any container was read, be it without a record. */
  get hasRead(): boolean {
    const incomplete = new Set(this.#incomplete.map(({ id }) => id));
    const isRead = ([id, { to }]: readonly [string, Interval]) => !incomplete.has(id) || to !== undefined;
    return this.records > 0 || [...this.#covered].some(isRead);
  }

  /** Merges buckets until at most `maxBuckets` remain from the first to the last. */
  widenTo(maxBuckets: number): void {
    const [first, last] = this.#ends(this.#sums());
    const fits = (width: number) => Math.floor(last / width) - Math.floor(first / width) < maxBuckets;
    if (first > last || fits(this.bucketMs)) return;
    this.bucketMs =
      BUCKET_WIDTHS_MS.find((wide) => wide % this.bucketMs === 0 && fits(wide)) ?? this.bucketMs;
  }

  /**
   * Returns all buckets from the first to the last in order; includes empty ones unless there are more than
   * `maxRows`.
   */
  rows(maxRows: number): readonly BucketCount[] {
    const sums = this.#sums();
    const [first, last] = this.#ends(sums);
    const count = first > last ? 0 : (last - first) / this.bucketMs + 1;
    if (count > maxRows) return [...sums.values()].sort((a, b) => a.fromMs - b.fromMs);
    return Array.from({ length: count }, (_, index) => {
      const fromMs = first + index * this.bucketMs;
      return sums.get(fromMs) ?? emptyBucket(fromMs);
    });
  }

  /** Sums the buckets of all containers, by the start of the bucket. */
  #sums(): ReadonlyMap<number, BucketCount> {
    const sums = new Map<number, BucketCount>();
    for (const known of this.#known.values()) {
      for (const bucket of known.values()) {
        const fromMs = Math.floor(bucket.fromMs / this.bucketMs) * this.bucketMs;
        const sum = sums.get(fromMs) ?? emptyBucket(fromMs);
        sums.set(fromMs, {
          fromMs,
          lines: sum.lines.map((count, index) => count + (bucket.lines[index] ?? 0)),
          matches: sum.matches.map((count, index) => count + (bucket.matches[index] ?? 0)),
        });
      }
    }
    return sums;
  }

  /** Returns the first and the last bucket: of the range if it has that end, else of the records. */
  #ends(sums: ReadonlyMap<number, BucketCount>): readonly [firstMs: number, lastMs: number] {
    const known = [...sums.keys()];
    const { from, to } = this.range;
    const align = (ms: number) => Math.floor(ms / this.bucketMs) * this.bucketMs;
    const first =
      from === undefined
        ? known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
        : align(timestampToMs(from));
    const last = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const end = to === undefined ? last : align(timestampToMs(to) - 1);
    return [first, Math.max(last, end)];
  }
}

function emptyBucket(fromMs: number): BucketCount {
  return { fromMs, lines: COUNTED_LEVELS.map(() => 0), matches: COUNTED_LEVELS.map(() => 0) };
}
