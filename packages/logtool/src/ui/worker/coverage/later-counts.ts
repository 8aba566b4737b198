import {
  compareTimestamps,
  parseTimestamp,
  type Timestamp,
  timestampToMs,
} from '@logtool/kube/src/values/timestamp.ts';
import { compareStarts } from '../../../domain/coverage/interval.ts';
import { COUNTED_LEVELS } from '../../../domain/coverage/scan.ts';
import type { EntryId } from '../protocol/protocol.ts';
import { KIND, VERDICT } from '../store/entry-table.ts';
import type { HeldLog } from '../store/held-log.ts';
import { type HeldRange, heldRangeOf, linesOfGap } from './held-gaps.ts';
import type { CountedBucket, RangeCounts, ScannedGap } from './range-counts.ts';

/** The scan whose counts are continued: what it has read and which records match. */
export interface CountedScan {
  readonly counts: RangeCounts;
  readonly range: { readonly from: Timestamp | undefined; readonly to: Timestamp | undefined };
  readonly isSearching: boolean;
  readonly hasFields: boolean;
  /** The levels that the search asks for; undefined: any level. */
  readonly soughtLevels: ((level: number) => boolean) | undefined;
}

/** The end of what a scan has read of a container, and how many lines it has at exactly that time. */
interface ReadEnd {
  readonly at: Timestamp;
  left: number;
}

/**
 * Counts the records written after a scan of an open range had read their container to its end, and held ones that the
 * node had rotated away before the scan. Each is counted once, and stays counted when the tab evicts it. A line that belongs to a record already counted, by the
 * scan or here, changes how that record is counted.
 */
export class LaterCounts {
  #log: HeldLog | undefined;
  /** Undefined: the tab does not hold all later records of the container. */
  readonly #ends = new Map<string, ReadEnd | undefined>();
  readonly #buckets = new Map<string, Map<number, CountedBucket>>();
  /** Gaps of the scan that held rows fill, or their end, and how many lines at their begin the scan has counted. */
  readonly #filled = new Map<ScannedGap, { readonly held: HeldRange; readonly begin: ReadEnd | undefined }>();
  /** Lines of such gaps that were counted. */
  readonly #ofGaps = new Set<EntryId>();
  /** Lines that arrived since, or that the filters have not decided yet. */
  #undecided: EntryId[] = [];

  /** Starts over: the scan reads on or the log is loaded again, so its counts include what was counted here. */
  restart(): void {
    this.#log?.streamed.delete(this.#note);
    this.#log = undefined;
    this.#ends.clear();
    this.#buckets.clear();
    this.#filled.clear();
    this.#ofGaps.clear();
    this.#undecided = [];
  }

  /** Counts what arrived since. Call it before lines are evicted and before counts are shown. */
  update(log: HeldLog, scan: CountedScan): void {
    if (this.#log !== log) this.#begin(log, scan);
    this.#fillGaps(log, scan);
    if (this.#undecided.length === 0) return;
    log.view.refresh();
    const later = this.#takeLater(log, scan);
    const heads = new Set([...later].map((id) => log.groups.headOf(id) ?? id));
    for (const head of heads) this.#countRecord(log, scan, head, later);
  }

  /** What remains of a gap that the scan found: of the rest, the held rows have every line, so that it is counted. */
  restOf(gap: ScannedGap): ScannedGap | undefined {
    const held = this.#filled.get(gap)?.held;
    if (held === undefined) return gap;
    return held.isWhole ? undefined : { ...gap, to: held.from, beginsAt: undefined };
  }

  #fillGaps(log: HeldLog, { counts, range }: CountedScan): void {
    for (const gap of counts.gaps) {
      const known = this.#filled.get(gap)?.held;
      const held = known?.isWhole === true ? undefined : heldRangeOf(log, gap, range);
      if (held === undefined || (known !== undefined && !isLonger(held, known))) continue;
      const { from, isWhole } = held;
      const left = isWhole ? (gap.counted ?? 0) : 0;
      this.#filled.set(gap, { held, begin: from && { at: from, left } });
      this.#undecided.push(...linesOfGap(log, gap, from));
    }
  }

  /** Whether a line lies in a gap that the held rows fill, and was not counted. Call it once for each line. */
  #isOfGap(entry: EntryId, id: string, at: Timestamp): boolean {
    if (this.#ofGaps.has(entry)) return false;
    for (const [gap, { begin }] of this.#filled) {
      if (gap.id !== id || gap.to === undefined || compareTimestamps(at, gap.to) >= 0) continue;
      if (begin !== undefined && !isLater(at, begin)) continue;
      this.#ofGaps.add(entry);
      return true;
    }
    return false;
  }

  /** Returns uncounted lines that the filters have decided; others wait. */
  #takeLater({ store }: HeldLog, scan: CountedScan): Set<EntryId> {
    const { table, sources } = store;
    const ids = new Set(this.#undecided);
    this.#undecided = [];
    const later = new Set<EntryId>();
    for (const id of ids) {
      if (table.kind(id) !== KIND.line) continue;
      if (matchOf(table, scan, id) === VERDICT.unknown) {
        this.#undecided.push(id);
        continue;
      }
      const [at, container] = [store.time(id), sources.get(table.source(id)).wire.id];
      if (isLater(at, this.#endOf(scan, container)) || this.#isOfGap(id, container, at)) later.add(id);
    }
    return later;
  }

  /** Counts a record that got new lines, replacing the count of its earlier lines. */
  #countRecord(
    { store, groups }: HeldLog,
    scan: CountedScan,
    head: EntryId,
    later: ReadonlySet<EntryId>,
  ): void {
    const undecided = new Set(this.#undecided);
    const lines = groups.linesOf(head).filter((id) => !undecided.has(id));
    const known = lines.filter((id) => !later.has(id));
    const add = (record: readonly EntryId[], count: number) =>
      this.#add(store, scan, { record, level: groups.levelOf(record), count });
    for (const record of groups.within(known)) add(record, -1);
    for (const record of groups.within(lines)) add(record, 1);
  }

  #add(
    store: HeldLog['store'],
    scan: CountedScan,
    {
      record,
      level,
      count,
    }: { readonly record: readonly EntryId[]; readonly level: number; readonly count: number },
  ): void {
    const { table, sources } = store;
    const head = record[0]!;
    const { wire } = sources.get(table.source(head));
    const widthMs = scan.counts.bucketMs ?? 1_000;
    const fromMs = Math.floor(timestampToMs(store.time(head)) / widthMs) * widthMs;
    const own = this.#buckets.get(wire.id) ?? new Map<number, CountedBucket>();
    this.#buckets.set(wire.id, own);
    const bucket = own.get(fromMs) ?? { fromMs, lines: zeros(), matches: zeros() };
    own.set(fromMs, bucket);
    bucket.lines[level] = (bucket.lines[level] ?? 0) + count;
    if (isFound(table, scan, record, level)) bucket.matches[level] = (bucket.matches[level] ?? 0) + count;
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

  #endOf(scan: CountedScan, id: string): ReadEnd | undefined {
    if (!this.#ends.has(id)) this.#ends.set(id, endOf(scan, id));
    return this.#ends.get(id);
  }
}

function isLonger(held: HeldRange, known: HeldRange): boolean {
  return held.isWhole || compareStarts(held.from, known.from) < 0;
}

function zeros(): Float64Array {
  return new Float64Array(COUNTED_LEVELS.length);
}

/** Whether a line was written after the end of what was read. Call it once for each line at exactly that time. */
function isLater(at: Timestamp, end: ReadEnd | undefined): boolean {
  if (end === undefined) return false;
  const after = compareTimestamps(at, end.at);
  return after > 0 || (after === 0 && end.left-- <= 0);
}

function endOf({ counts, range }: CountedScan, id: string): ReadEnd | undefined {
  const read = counts.readOf(id);
  // A scan that does not know the container has read none of its lines, or not the rest before it was gone.
  const isKnown = counts.sources.has(id);
  if (read === undefined) return isKnown ? undefined : { at: range.from ?? BEGINNING, left: 0 };
  if (isKnown && (!read.isWhole || range.to !== undefined)) return undefined;
  const at = read.position && parseTimestamp(read.position.at);
  return at === undefined
    ? { at: range.from ?? BEGINNING, left: 0 }
    : { at, left: read.position?.shown ?? 0 };
}

/** How search and fields together decide about a line. */
function matchOf(
  table: HeldLog['store']['table'],
  { isSearching, hasFields }: CountedScan,
  id: EntryId,
): number {
  const verdicts = [
    hasFields ? table.verdict('fielded', id) : VERDICT.hit,
    isSearching ? table.verdict('searched', id) : VERDICT.hit,
  ];
  if (verdicts.includes(VERDICT.refused)) return VERDICT.refused;
  if (verdicts.includes(VERDICT.miss)) return VERDICT.miss;
  return verdicts.includes(VERDICT.unknown) ? VERDICT.unknown : VERDICT.hit;
}

/** Whether a record is one of the scan's matches. */
function isFound(
  table: HeldLog['store']['table'],
  scan: CountedScan,
  record: readonly EntryId[],
  level: number,
): boolean {
  if (scan.soughtLevels?.(level) === false) return false;
  const verdicts = record.map((id) => matchOf(table, scan, id));
  return verdicts.includes(VERDICT.hit) && !verdicts.includes(VERDICT.refused);
}

const BEGINNING: Timestamp = { seconds: Number.NEGATIVE_INFINITY, nanos: 0 };
