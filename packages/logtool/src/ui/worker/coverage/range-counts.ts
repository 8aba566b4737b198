import {
  compareTimestamps,
  parseTimestamp,
  type Timestamp,
  timestampFromMs,
  timestampToMs,
} from '@logtool/kube/src/values/timestamp.ts';
import type { WireError } from '../../../contract/error.ts';
import type { ScanFrame } from '../../../contract/log-frame.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import type { ScanQuery } from '../../../contract/scan-query.ts';
import type { ContainerCoverage, Coverage, KnownGap } from '../../../domain/coverage/coverage.ts';
import { intervals, NO_INTERVALS } from '../../../domain/coverage/interval.ts';
import { COUNTED_LEVELS } from '../../../domain/coverage/scan.ts';
import type { GapCause } from '../../../domain/frame.ts';
import { kindOfGap } from '../known/known-gap.ts';

type Counts = Extract<ScanFrame, { readonly type: 'counts' }>;
type Bucket = Counts['buckets'][number];

/** The lines of one time bucket, and how many of them match. */
export interface CountedBucket {
  readonly fromMs: number;
  readonly lines: Float64Array;
  readonly matches: Float64Array;
}

/** Where a range ends. */
export interface RangeEnd {
  /**
   * Up to when later lines of a container (LogSource.id) are counted, ms since the epoch, or Infinity; undefined: the
   * range has an end.
   */
  readonly followedToMs: ((id: string) => number) | undefined;
  readonly endMs: number | undefined;
}

/** How far a container was read from the beginning of the range. */
export interface ContainerRead {
  /** Everything before this time was read; undefined: nothing was. */
  readonly to: Timestamp | undefined;
  /** Whether the range was read to its end, or to the present if it has no end. */
  readonly isWhole: boolean;
  /** When the scan that read to the end began, ms since the epoch: it does not include later lines. */
  readonly asOfMs: number;
  /** The last record read, and how many records at exactly its time were read. */
  readonly position: { readonly at: string; readonly shown: number } | undefined;
}

/** Where a scan found that lines of one container (LogSource.id) may be missing. */
export interface ScannedGap extends KnownGap {
  readonly id: string;
  /**
   * How many lines at exactly the begin of the gap were counted, if none after it and before the end were; undefined:
   * lines inside may be counted.
   */
  readonly counted: number | undefined;
}

/**
 * The counts of all scans of one range so far, by container, time and level, and how far they have read each container.
 * Each scan continues where the previous one stopped: their counts add up.
 */
export class RangeCounts {
  readonly sources = new Map<string, LogSource>();
  #gaps: readonly ScannedGap[] = [];
  /** Containers of the current scan, by the index that its frames use. */
  #ids: string[] = [];
  readonly #reads = new Map<string, ContainerRead>();
  /** The counts of finished scans. */
  #before = new Map<string, Map<number, CountedBucket>>();
  /** The counts of the current scan, which replaces its own buckets. */
  #present = new Map<string, Map<number, Bucket>>();
  #bucketMs: number | undefined;
  #startedMs = 0;
  #pass = 0;
  /** By the error's text: with which error a whole source argument failed, and the last pass in which it did. */
  readonly #failedSources = new Map<string, { readonly error: WireError; readonly pass: number }>();
  /** Containers that could not be read to the end of the current pass. */
  #failed: readonly string[] = [];

  /** Width of the buckets, ms; undefined before the first count. */
  get bucketMs(): number | undefined {
    return this.#bucketMs;
  }

  take(frame: ScanFrame): void {
    switch (frame.type) {
      case 'sources':
        for (const source of frame.sources) this.#addSource(source);
        return;
      case 'gap': {
        const id = this.#ids[frame.source];
        if (id === undefined) return;
        const span = { from: timeOf(frame.from), to: timeOf(frame.to) };
        const counted = this.#countedAt(id, span.from, frame.cause);
        this.#gaps = [...this.#gaps, { id, ...span, ...kindOfGap(frame), counted }];
        return;
      }
      case 'notice':
        if (frame.code === 'source-failed') this.#failSource(frame.error);
        return;
      case 'counts':
        this.#takeCounts(frame);
        return;
      case 'coverage':
        this.#reads.set(frame.id, {
          to: timeOf(frame.to),
          isWhole: false,
          asOfMs: this.#startedMs,
          position: frame.position ?? this.#reads.get(frame.id)?.position,
        });
        return;
      case 'scanned':
        this.#failed = frame.failed;
        this.#takeEnd(frame.incomplete, frame.stopped !== undefined);
        return;
      case 'closing':
      case 'done':
      case 'heartbeat':
      case 'records':
      case 'scanning':
      case 'state':
        return;
      default:
        frame satisfies never;
    }
  }

  /** Returns where the next scan of the range continues. Call it when that scan begins: existing counts stay. */
  positions(nowMs: number): NonNullable<ScanQuery['positions']> {
    this.#startedMs = nowMs;
    this.#pass++;
    this.#ids = [];
    this.#failed = [];
    this.#gaps = this.#gaps.filter((gap) => !this.#isReadAgain(gap));
    this.#keep();
    return [...this.#reads].flatMap(([id, { position }]) =>
      position === undefined ? [] : [{ id, ...position }],
    );
  }

  /** Where scans found missing lines. */
  get gaps(): readonly ScannedGap[] {
    return this.#gaps;
  }

  /** Number of source arguments that failed as a whole, so that their containers are not known, and not read. */
  get failedSources(): number {
    return this.#failedSources.size;
  }

  /** Errors that ended whole source arguments in the last pass. */
  get sourceErrors(): readonly WireError[] {
    return [...this.#failedSources.values()].map(({ error }) => error);
  }

  /** Containers that could not be read further in the last pass, although it had time. */
  get failed(): readonly string[] {
    return this.#failed;
  }

  /** Containers whose part of the range was not read to its end. */
  get incomplete(): readonly string[] {
    return [...this.sources.keys()].filter((id) => this.#reads.get(id)?.isWhole !== true);
  }

  readOf(id: string): ContainerRead | undefined {
    return this.#reads.get(id);
  }

  /** Returns of which times all lines were counted, by container. `from`: the beginning of the range. */
  coverage(from: Timestamp | undefined, end: RangeEnd): Coverage {
    const containers = new Map<string, ContainerCoverage>();
    for (const id of this.sources.keys()) {
      const toMs = this.#readToMs(id, end);
      const to = Number.isFinite(toMs) ? timestampFromMs(toMs) : undefined;
      const read = toMs === Number.NEGATIVE_INFINITY ? NO_INTERVALS : intervals({ from, to });
      containers.set(id, { read, isUnreadable: this.#failed.includes(id) });
    }
    return { containers, failedSources: this.failedSources };
  }

  /**
   * The time to which a container was read, ms since the epoch: Infinity if all of the range was read, -Infinity if not
   * even its beginning was. What lies in the future was not read.
   */
  #readToMs(id: string, { followedToMs, endMs }: RangeEnd): number {
    const read = this.#reads.get(id);
    if (read?.isWhole === true) {
      const readMs = read.to === undefined ? Number.POSITIVE_INFINITY : timestampToMs(read.to);
      if (endMs !== undefined && readMs < endMs) return readMs;
      if (followedToMs === undefined) return Number.POSITIVE_INFINITY;
      return Math.max(read.asOfMs, followedToMs(id));
    }
    return read?.to === undefined ? Number.NEGATIVE_INFINITY : timestampToMs(read.to);
  }

  /** Calls with each bucket of each container; a bucket may come twice, with other lines. */
  each(visit: (id: string, bucket: CountedBucket | Bucket) => void): void {
    for (const [id, buckets] of this.#before) for (const bucket of buckets.values()) visit(id, bucket);
    for (const [id, buckets] of this.#present) for (const bucket of buckets.values()) visit(id, bucket);
  }

  /** How many lines at the begin of a gap were counted: see ScannedGap. */
  #countedAt(id: string, from: Timestamp | undefined, cause: GapCause): number | undefined {
    // The gap reaches from the first time that is not counted, or where an earlier scan stopped, to the first record.
    if (cause.code !== 'begins-late') return undefined;
    const position = this.#reads.get(id)?.position;
    const at = position && parseTimestamp(position.at);
    if (position === undefined || at === undefined || from === undefined) return 0;
    return compareTimestamps(at, from) === 0 ? position.shown : 0;
  }

  /** Whether the next scan reads a gap again, and reports it again if lines are still missing there. */
  #isReadAgain({ id, from }: ScannedGap): boolean {
    const read = this.#reads.get(id)?.position;
    // A scan without a position begins at the beginning of the range.
    if (read === undefined) return true;
    const at = parseTimestamp(read.at);
    return from !== undefined && at !== undefined && compareTimestamps(from, at) >= 0;
  }

  #failSource(error: WireError): void {
    this.#failedSources.set(JSON.stringify(error), { error, pass: this.#pass });
  }

  #addSource(source: LogSource): void {
    this.#ids[source.index] = source.id;
    if (!this.sources.has(source.id)) this.sources.set(source.id, source);
  }

  #takeCounts({ id, bucketMs, buckets }: Counts): void {
    if (bucketMs !== this.#bucketMs) {
      // The range has too many buckets of the previous width; the scan sends all of its buckets again.
      this.#present.clear();
      this.#before = rebucketed(this.#before, bucketMs);
      this.#bucketMs = bucketMs;
    }
    const own = this.#present.get(id) ?? new Map<number, Bucket>();
    this.#present.set(id, own);
    for (const bucket of buckets) own.set(bucket.fromMs, bucket);
  }

  #takeEnd(incomplete: readonly string[], isStopped: boolean): void {
    for (const [key, { pass }] of this.#failedSources) if (pass < this.#pass) this.#failedSources.delete(key);
    const isIncomplete = new Set(incomplete);
    const isFound = new Set(this.#ids);
    for (const id of this.sources.keys()) {
      if (isIncomplete.has(id)) continue;
      const read = this.#reads.get(id);
      if (!isFound.has(id)) {
        // It no longer exists: the rest of its lines cannot be read.
        if (read?.isWhole !== true) this.sources.delete(id);
        continue;
      }
      if (read === undefined && isStopped) continue;
      this.#reads.set(id, {
        to: read?.to,
        isWhole: true,
        asOfMs: this.#startedMs,
        position: read?.position,
      });
    }
  }

  #keep(): void {
    for (const [id, buckets] of this.#present) {
      const own = this.#before.get(id) ?? new Map<number, CountedBucket>();
      this.#before.set(id, own);
      for (const bucket of buckets.values()) addTo(own, bucket.fromMs, bucket);
    }
    this.#present = new Map();
  }
}

function timeOf(text: string | undefined): Timestamp | undefined {
  return text === undefined ? undefined : parseTimestamp(text);
}

function addTo(buckets: Map<number, CountedBucket>, fromMs: number, bucket: CountedBucket | Bucket): void {
  const own = buckets.get(fromMs) ?? {
    fromMs,
    lines: new Float64Array(COUNTED_LEVELS.length),
    matches: new Float64Array(COUNTED_LEVELS.length),
  };
  buckets.set(fromMs, own);
  for (let level = 0; level < COUNTED_LEVELS.length; level++) {
    own.lines[level] = own.lines[level]! + (bucket.lines[level] ?? 0);
    own.matches[level] = own.matches[level]! + (bucket.matches[level] ?? 0);
  }
}

/** Returns the counts in wider buckets. Widths grow so that each bucket fits in one of the next width, or nearly. */
function rebucketed(
  counts: ReadonlyMap<string, ReadonlyMap<number, CountedBucket>>,
  bucketMs: number,
): Map<string, Map<number, CountedBucket>> {
  const wider = new Map<string, Map<number, CountedBucket>>();
  for (const [id, buckets] of counts) {
    const own = new Map<number, CountedBucket>();
    for (const bucket of buckets.values())
      addTo(own, Math.floor(bucket.fromMs / bucketMs) * bucketMs, bucket);
    wider.set(id, own);
  }
  return wider;
}
