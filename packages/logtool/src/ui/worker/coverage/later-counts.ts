import {
  compareTimestamps,
  parseTimestamp,
  type Timestamp,
  timestampToMs,
} from '@logtool/kube/src/values/timestamp.ts';
import { COUNTED_LEVELS } from '../../../domain/coverage/scan.ts';
import type { EntryId } from '../session/protocol.ts';
import { KIND, VERDICT } from '../store/entry-table.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { CountedBucket, RangeCounts } from './range-counts.ts';

/** The scan whose counts are continued: what it has read, and what its matches are. */
export interface CountedScan {
  readonly counts: RangeCounts;
  readonly range: { readonly from: Timestamp | undefined; readonly to: Timestamp | undefined };
  readonly isSearching: boolean;
  readonly hasFields: boolean;
}

/** The end of what a scan has read of a container, and how many lines at exactly that time it has. */
interface ReadEnd {
  readonly at: Timestamp;
  left: number;
}

/**
 * Lines that were written after a scan of an open range had read their container to its end: each is counted once, when
 * it comes, and stays counted when the tab lets it go.
 */
export class LaterCounts {
  #log: HeldLog | undefined;
  /** Undefined: what is held later of the container is not all. */
  readonly #ends = new Map<string, ReadEnd | undefined>();
  readonly #buckets = new Map<string, Map<number, CountedBucket>>();
  /** Lines of which the filters have not decided yet. */
  #undecided: EntryId[] = [];

  /** The scan reads on, or the log was loaded again: its counts then include what was counted here. */
  restart(): void {
    this.#log?.streamed.delete(this.#note);
    this.#log = undefined;
    this.#ends.clear();
    this.#buckets.clear();
    this.#undecided = [];
  }

  /** Counts what came since. Before lines are let go, and before counts are shown. */
  update(log: HeldLog, scan: CountedScan): void {
    if (this.#log !== log) this.#begin(log, scan);
    const ids = this.#undecided;
    this.#undecided = [];
    for (const id of ids) this.#count(log, scan, id);
  }

  /** Calls with each bucket of each container (LogSource.id). */
  each(visit: (id: string, bucket: CountedBucket) => void): void {
    for (const [id, buckets] of this.#buckets) for (const bucket of buckets.values()) visit(id, bucket);
  }

  readonly #note = (id: EntryId): void => {
    this.#undecided.push(id);
  };

  #begin(log: HeldLog, scan: CountedScan): void {
    this.restart();
    this.#log = log;
    log.streamed.add(this.#note);
    const { store } = log;
    const first = store.sources.all.reduce<Timestamp | undefined>((least, { wire }) => {
      const end = this.#endOf(scan, wire.id);
      return end !== undefined && (least === undefined || compareTimestamps(end.at, least) < 0)
        ? end.at
        : least;
    }, undefined);
    if (first === undefined) return;
    for (const id of store.order.from(store.positionOf(first))) this.#undecided.push(id);
  }

  #count({ store }: HeldLog, scan: CountedScan, id: EntryId): void {
    const { table, sources } = store;
    if (table.kind(id) !== KIND.line) return;
    const { wire } = sources.get(table.source(id));
    const verdict = matchOf(table, scan, id);
    if (verdict === VERDICT.unknown) {
      this.#undecided.push(id);
      return;
    }
    const at = store.time(id);
    if (!isLater(at, this.#endOf(scan, wire.id))) return;
    const widthMs = scan.counts.bucketMs ?? 1_000;
    const fromMs = Math.floor(timestampToMs(at) / widthMs) * widthMs;
    const own = this.#buckets.get(wire.id) ?? new Map<number, CountedBucket>();
    this.#buckets.set(wire.id, own);
    const bucket = own.get(fromMs) ?? { fromMs, lines: zeros(), matches: zeros() };
    own.set(fromMs, bucket);
    const level = table.level(id);
    bucket.lines[level] = (bucket.lines[level] ?? 0) + 1;
    if (verdict === VERDICT.hit) bucket.matches[level] = (bucket.matches[level] ?? 0) + 1;
  }

  #endOf(scan: CountedScan, id: string): ReadEnd | undefined {
    if (!this.#ends.has(id)) this.#ends.set(id, endOf(scan, id));
    return this.#ends.get(id);
  }
}

function zeros(): Float64Array {
  return new Float64Array(COUNTED_LEVELS.length);
}

/** Whether a line was written after the end of what was read; each line at exactly that time must be asked for once. */
function isLater(at: Timestamp, end: ReadEnd | undefined): boolean {
  if (end === undefined) return false;
  const after = compareTimestamps(at, end.at);
  return after > 0 || (after === 0 && end.left-- <= 0);
}

function endOf({ counts, range }: CountedScan, id: string): ReadEnd | undefined {
  const read = counts.readOf(id);
  // It came after the scan: all of it is later.
  if (read === undefined)
    return counts.sources.has(id) ? undefined : { at: range.from ?? BEGINNING, left: 0 };
  if (!read.isWhole) return undefined;
  const at = read.position && parseTimestamp(read.position.at);
  return at === undefined
    ? { at: range.from ?? BEGINNING, left: 0 }
    : { at, left: read.position?.shown ?? 0 };
}

/** What search and fields say of a line together. */
function matchOf(
  table: HeldLog['store']['table'],
  { isSearching, hasFields }: CountedScan,
  id: EntryId,
): number {
  const verdicts = [
    hasFields ? table.verdict('fielded', id) : VERDICT.hit,
    isSearching ? table.verdict('searched', id) : VERDICT.hit,
  ];
  if (verdicts.some((verdict) => verdict === VERDICT.miss || verdict === VERDICT.refused))
    return VERDICT.miss;
  return verdicts.includes(VERDICT.unknown) ? VERDICT.unknown : VERDICT.hit;
}

const BEGINNING: Timestamp = { seconds: Number.NEGATIVE_INFINITY, nanos: 0 };
