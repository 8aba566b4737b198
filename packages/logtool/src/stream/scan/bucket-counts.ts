import { type Timestamp, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { BUCKET_WIDTHS_MS, type BucketCount, COUNTED_LEVELS } from '../../domain/coverage/scan.ts';

/** Maximum buckets of all containers; more are merged into wider ones, because timestamps may be anything. */
const MAX_BUCKETS = 50_000;

interface Bucket {
  readonly lines: number[];
  readonly matches: number[];
}

/** The width of the buckets of all containers, and their number. */
interface Widths {
  ms: number;
  buckets: number;
}

/** Counts of several containers, in buckets of one width. */
export class ScanCounts<Key> {
  readonly #widths: Widths;
  readonly #counts = new Map<Key, BucketCounts>();

  /** `widthMs`: the initial width of the buckets. */
  constructor(widthMs: number) {
    this.#widths = { ms: widthMs, buckets: 0 };
  }

  get widthMs(): number {
    return this.#widths.ms;
  }

  of(key: Key): BucketCounts {
    let counts = this.#counts.get(key);
    if (counts === undefined) {
      counts = new BucketCounts(this.#widths, () => this.#widen());
      this.#counts.set(key, counts);
    }
    return counts;
  }

  /** Takes the buckets that have changed since the last call. */
  *takeChanged(): Generator<readonly [Key, readonly BucketCount[]], void, undefined> {
    for (const [key, counts] of this.#counts) {
      const changed = counts.takeChanged();
      if (changed.length > 0) yield [key, changed];
    }
  }

  #widen(): void {
    const { ms } = this.#widths;
    this.#widths.ms = BUCKET_WIDTHS_MS.find((wide) => wide > ms && wide % ms === 0) ?? ms * 2;
    this.#widths.buckets = 0;
    for (const counts of this.#counts.values()) counts.widen();
  }
}

/** Lines and matches of one container by time and level. */
class BucketCounts {
  readonly #widths: Widths;
  readonly #onTooMany: () => void;
  #buckets = new Map<number, Bucket>();
  #changed = new Set<number>();
  /** The bucket of the last record: the next record is mostly in it too. */
  #last: { readonly fromMs: number; readonly bucket: Bucket } | undefined;

  constructor(widths: Widths, onTooMany: () => void) {
    this.#widths = widths;
    this.#onTooMany = onTooMany;
  }

  /** Counts a record. `index`: of the level, in COUNTED_LEVELS. */
  add(at: Timestamp, index: number, isMatch: boolean): void {
    const bucket = this.#bucketOf(timestampToMs(at));
    bucket.lines[index]! += 1;
    if (isMatch) bucket.matches[index]! += 1;
  }

  /** Counts a match for a record that was added earlier. */
  addMatch(at: Timestamp, index: number): void {
    const bucket = this.#bucketOf(timestampToMs(at));
    bucket.matches[index]! += 1;
  }

  /** Takes the buckets that have changed since the last call, in order. */
  takeChanged(): readonly BucketCount[] {
    const changed = [...this.#changed].sort((a, b) => a - b);
    this.#changed.clear();
    this.#last = undefined;
    return changed.map((fromMs) => {
      const { lines, matches } = this.#buckets.get(fromMs)!;
      return { fromMs, lines: [...lines], matches: [...matches] };
    });
  }

  /** Merges the buckets into those of the current width. */
  widen(): void {
    const narrow = this.#buckets;
    this.#buckets = new Map();
    this.#last = undefined;
    for (const [ms, { lines, matches }] of narrow) {
      const bucket = this.#bucketAt(this.#startOf(ms));
      for (const [index, count] of lines.entries()) bucket.lines[index]! += count;
      for (const [index, count] of matches.entries()) bucket.matches[index]! += count;
    }
    this.#changed = new Set(this.#buckets.keys());
  }

  #bucketOf(ms: number): Bucket {
    const fromMs = this.#startOf(ms);
    if (this.#last?.fromMs === fromMs) return this.#last.bucket;
    const bucket = this.#bucketAt(fromMs);
    this.#changed.add(fromMs);
    this.#last = { fromMs, bucket };
    if (this.#widths.buckets <= MAX_BUCKETS) return bucket;
    this.#onTooMany();
    return this.#bucketOf(ms);
  }

  #startOf(ms: number): number {
    return Math.floor(ms / this.#widths.ms) * this.#widths.ms;
  }

  #bucketAt(fromMs: number): Bucket {
    const known = this.#buckets.get(fromMs);
    if (known !== undefined) return known;
    const bucket = { lines: COUNTED_LEVELS.map(() => 0), matches: COUNTED_LEVELS.map(() => 0) };
    this.#buckets.set(fromMs, bucket);
    this.#widths.buckets++;
    return bucket;
  }
}
