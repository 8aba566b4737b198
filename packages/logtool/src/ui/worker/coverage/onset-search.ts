import { type Timestamp, timestampFromMs, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { readOfAll } from '../../../domain/coverage/coverage.ts';
import { findErrorOnset } from '../../../domain/coverage/error-onset.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import { LEVELS } from '../../../domain/filter.ts';
import type { HeldLog } from '../store/held-log.ts';
import { type CountedView, countedCoverage, eachWanted, readToMs } from './counted-view.ts';
import { allGaps } from './known-gaps.ts';

const ERROR = LEVELS.indexOf('error');

/** Finds the time of the first error of an interval; undefined: the interval could not be read. */
type SeekError = (interval: Interval, signal: AbortSignal) => Promise<Timestamp | undefined>;

/** Finds the first error of the outbreak in a range, once for each state of the counts. */
export class OnsetSearch {
  readonly #seek: SeekError;
  readonly #onChange: () => void;
  #bucketMs: number | undefined;
  #abort = new AbortController();
  /** The first error since the error rate departed from its earlier level. */
  at: Timestamp | undefined;

  constructor(seek: SeekError, onChange: () => void) {
    this.#seek = seek;
    this.#onChange = onChange;
  }

  /** Takes the current counts; seeks the error itself if its bucket has changed. */
  update(log: HeldLog, counted: CountedView | undefined): void {
    const onset =
      counted === undefined || counted.scan.state === 'reading' ? undefined : onsetOf(log, counted);
    if (onset?.fromMs === this.#bucketMs) return;
    this.#bucketMs = onset?.fromMs;
    this.at = undefined;
    this.close();
    if (onset !== undefined) void this.#find(onset.fromMs, onset.widthMs);
  }

  close(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  async #find(fromMs: number, widthMs: number): Promise<void> {
    const interval = { from: timestampFromMs(fromMs), to: timestampFromMs(fromMs + widthMs) };
    const at = await this.#seek(interval, this.#abort.signal);
    if (this.#bucketMs !== fromMs) return;
    this.at = at;
    this.#onChange();
  }
}

/** The bucket in which errors begin, within the part of the range that was read from its beginning. */
function onsetOf(
  log: HeldLog,
  counted: CountedView,
): { readonly fromMs: number; readonly widthMs: number } | undefined {
  const { counts } = counted.scan;
  const widthMs = counts.bucketMs;
  if (widthMs === undefined) return undefined;
  const errors = new Map<number, number>();
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  eachWanted(log, counted, (_, level, atMs, lines) => {
    const bucket = Math.floor(atMs / widthMs);
    firstMs = Math.min(firstMs, atMs);
    lastMs = Math.max(lastMs, atMs);
    if (level <= ERROR) errors.set(bucket, (errors.get(bucket) ?? 0) + lines);
  });
  const known = knownStretch(log, counted);
  // Nothing is known about errors before the first line, and the bucket of that line is not complete.
  const first = Math.floor(Math.max(firstMs, known.fromMs) / widthMs) + 1;
  const readTo = Math.min(
    lastMs + widthMs,
    known.toMs,
    readToMs(readOfAll(countedCoverage(counted), counted.isWanted)),
  );
  const length = Math.floor(readTo / widthMs) - first;
  if (!(length > 0 && length <= MAX_BUCKETS)) return undefined;
  const onset = findErrorOnset(Array.from({ length }, (_, bucket) => errors.get(first + bucket) ?? 0));
  return onset === undefined ? undefined : { fromMs: (first + onset) * widthMs, widthMs };
}

/** The time of which nothing is known to be missing: after what is lost, and before the first gap. */
function knownStretch(
  log: HeldLog,
  counted: CountedView,
): { readonly fromMs: number; readonly toMs: number } {
  let [fromMs, toMs] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const msOf = (at: Timestamp | undefined, open: number) => (at === undefined ? open : timestampToMs(at));
  for (const { isLost, from, to } of allGaps(log, counted)) {
    if (isLost) fromMs = Math.max(fromMs, msOf(to, Number.POSITIVE_INFINITY));
    else toMs = Math.min(toMs, msOf(from ?? to, Number.NEGATIVE_INFINITY));
  }
  return { fromMs, toMs };
}

/** Limits the buckets, because timestamps can have any value. */
const MAX_BUCKETS = 100_000;
