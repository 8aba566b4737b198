import type { Clock } from '@logtool/kube/src/values/clock.ts';
import {
  compareTimestamps,
  formatTimestamp,
  parseTimestamp,
  type Timestamp,
  timestampFromMs,
  timestampToMs,
} from '@logtool/kube/src/values/timestamp.ts';
import { type ApiClient, ApiError } from '../../../contract/client.ts';
import type { ScanFrame } from '../../../contract/log-frame.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import type { ScanQuery } from '../../../contract/scan-query.ts';
import type { WireRecord } from '../../../contract/wire-record.ts';
import {
  compareStarts,
  type Interval,
  intersection,
  intervals,
  nextTime,
} from '../../../domain/coverage/interval.ts';
import { isLost } from '../../../domain/coverage/lost.ts';
import type { CountedLevel } from '../../../domain/coverage/scan.ts';
import type { FieldFilter, LineSearch } from '../../../domain/search/line-search.ts';
import { untilSilent } from '../../api/watch-silence.ts';
import { viewQuery } from '../protocol/view-query.ts';
import { FULL_BUDGET } from './range-scan.ts';

/** Hits per request: the facets may hide the containers or levels of some of them. */
const HITS = 200;
/**
 * Logs can only be read forward: the search for the last line reads segments from the end back, of growing length, ms.
 */
const FIRST_SPAN = 60_000;
const SPAN_FACTOR = 4;
/** A segment with at least this many bytes is followed by one of the same length. */
const LARGE_SEGMENT_BYTES = 64 * 1024 * 1024;
/** If the interval has no start, a segment of this length or more covers all that is left, ms. */
const LAST_SPAN = 30 * 24 * 3_600_000;
/** Divides the length after a segment that was too large for the budget. */
const SMALLER = 16;
const MIN_SPAN = 1_000;

/** Which line to seek. */
export interface SoughtLine {
  readonly search: LineSearch | undefined;
  readonly fields: readonly FieldFilter[];
  /** Levels of the line's record; undefined: any. */
  readonly levels: readonly CountedLevel[] | undefined;
  /** Whether the facets accept its container. */
  readonly accepts: (source: LogSource) => boolean;
}

export type SeekOrder = 'oldest' | 'newest';

/** `unread`: part of the interval before the nearest known line could not be read, so the line may be there. */
export type Sought =
  | { readonly kind: 'found'; readonly at: Timestamp }
  /** `hasGap`: lines are missing that a reader could not read, such as those of an earlier run. */
  | { readonly kind: 'none'; readonly hasGap?: boolean }
  | { readonly kind: 'unread'; readonly unread: Unread };

/** The part of an interval that was not read. */
export interface Unread {
  /**
   * Containers that could not be read. If empty, the search reached its limit, was stopped or broke off, and can
   * continue.
   */
  readonly failed: readonly LogSource[];
  /** The rest of the interval has no such line. */
  readonly left: Interval;
  /** Bytes of the log that were read. */
  readonly bytes: number;
  /** How long the next segment is if the search continues there, ms. */
  readonly span: number;
}

export interface SeekProgress {
  readonly bytes: number;
  readonly containersDone: number;
  readonly containers: number;
}

export interface SeekOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly context: string;
  readonly sources: readonly string[];
  readonly readsRotated: boolean | undefined;
  /** The range of the view: records are grouped within it. */
  readonly within: Interval;
  /** Whether the search treats a record of several lines as one, by its first line. */
  readonly grouping: boolean;
  /** Containers (LogSource.id) to leave out of the search. */
  readonly without: readonly string[];
  readonly nextQuery: () => number;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: SeekProgress) => void) | undefined;
}

/**
 * Finds the first or last line of an interval that matches, without loading the lines before it. It reports a line only
 * if it has read everything before that line in every container. `span`: the length of the first segment of a search
 * from the end back, ms.
 */
export async function seekLine(
  options: SeekOptions,
  interval: Interval,
  order: SeekOrder,
  line: SoughtLine,
  span = FIRST_SPAN,
): Promise<Sought> {
  if (line.levels?.length === 0) return { kind: 'none' };
  return new Seek(options, order, line, span).run(interval);
}

/** One search, with as many requests as it takes. */
class Seek {
  readonly #options: SeekOptions;
  readonly #order: SeekOrder;
  readonly #line: SoughtLine;
  readonly #startedMs: number;
  #span: number;
  #bytes = 0;
  #hasGap = false;

  constructor(options: SeekOptions, order: SeekOrder, line: SoughtLine, span: number) {
    this.#options = options;
    this.#order = order;
    this.#line = line;
    this.#span = span;
    this.#startedMs = options.clock.steady();
  }

  async run(interval: Interval): Promise<Sought> {
    let left = interval;
    for (;;) {
      const segment = this.#segmentOf(left);
      const read = await this.#read(segment);
      this.#bytes += read.bytes;
      this.#hasGap ||= read.hasGap;
      if (read.found !== undefined) return { kind: 'found', at: timeOf(read.found) };
      if (!(read.isWhole || this.#isPassed(segment, read)))
        return { kind: 'unread', unread: this.#unread(read, left) };
      const rest = this.#restOf(segment, left, read);
      if (rest === undefined) return { kind: 'none', ...(this.#hasGap ? { hasGap: true } : {}) };
      // All hits have the same time: a request cannot reach the other lines at that time.
      if (rest === 'same') return { kind: 'unread', unread: this.#unread(read, left) };
      left = rest;
      if (read.bytes < LARGE_SEGMENT_BYTES) this.#span = SPAN_FACTOR * this.#span;
    }
  }

  /**
   * Whether a segment itself was read completely, even if the part beyond it (which shows its last records) was not.
   */
  #isPassed({ to }: Interval, { readTo, hasEnded }: HitsDraft): boolean {
    if (this.#order === 'newest' || !hasEnded || readTo === undefined || to === undefined) return false;
    return compareTimestamps(readTo, to) >= 0;
  }

  /** Returns what is left of an interval after a segment without an accepted line; undefined: nothing. */
  #restOf(segment: Interval, left: Interval, { refused }: HitsDraft): Interval | 'same' | undefined {
    const isOldest = this.#order === 'oldest';
    if (refused === undefined) {
      const isLast = isOldest || segment.from === left.from;
      return isLast ? undefined : { from: left.from, to: segment.from };
    }
    const rest = beyond(segment, this.#order, timeOf(refused));
    if (rest === 'same') return rest;
    return isOldest ? { from: rest, to: left.to } : { from: left.from, to: rest };
  }

  #segmentOf(left: Interval): Interval {
    if (this.#order === 'oldest') return left;
    const endMs = left.to === undefined ? this.#options.clock.now() : timestampToMs(left.to);
    if (left.from === undefined && this.#span >= LAST_SPAN) return left;
    const from = timestampFromMs(Math.floor(endMs - this.#span));
    return compareStarts(from, left.from) <= 0 ? left : { from, to: left.to };
  }

  #unread(read: HitsDraft, left: Interval): Unread {
    const isOldest = this.#order === 'oldest';
    const isTooLarge = !isOldest && read.failed.length === 0;
    return {
      failed: read.failed,
      left: isOldest && compareStarts(read.readTo, left.from) > 0 ? { from: read.readTo, to: left.to } : left,
      bytes: this.#bytes,
      span: isTooLarge ? Math.max(MIN_SPAN, this.#span / SMALLER) : this.#span,
    };
  }

  async #read(segment: Interval): Promise<HitsDraft> {
    const { api, clock, context, grouping, without, nextQuery, signal, onProgress } = this.#options;
    const { search, fields, levels, accepts } = this.#line;
    const { from, to } = widened(segment, this.#options);
    const body: ScanQuery = {
      id: nextQuery(),
      ...viewQuery(this.#options),
      from: from && formatTimestamp(from),
      to: to && formatTimestamp(to),
      search,
      fields: [...fields],
      grouping,
      ...(levels === undefined ? {} : { levels: [...levels] }),
      ...(without.length === 0 ? {} : { without: [...without] }),
      hits: { order: this.#order, count: HITS },
      budget: {
        bytes: Math.max(1, FULL_BUDGET.bytes - this.#bytes),
        ms: Math.max(1, FULL_BUDGET.ms - (clock.steady() - this.#startedMs)),
      },
    };
    const draft = new HitsDraft(accepts, segment, new Set(without));
    const open = (either: AbortSignal) =>
      api.stream('POST /contexts/{context}/scan', { params: { context }, body, signal: either });
    try {
      for await (const frames of untilSilent(open, { clock, signal })) {
        for (const frame of frames) draft.take(frame);
        const { containersDone, containers } = draft;
        onProgress?.({ bytes: this.#bytes + draft.bytes, containersDone, containers });
        if (draft.isOver) break;
      }
    } catch (error) {
      if (!(error instanceof ApiError || signal.aborted)) throw error;
    }
    return draft;
  }
}

/**
 * Most records are written within this time: reads this much beyond an interval to recognize the records at its ends.
 */
const AROUND_SECONDS = 2;

/** Widens the interval to show which records begin in it, within the range of the view. */
function widened({ from, to }: Interval, { within, grouping }: SeekOptions): Interval {
  if (!grouping) return { from, to };
  const wider = {
    from: from && { ...from, seconds: from.seconds - AROUND_SECONDS },
    to: to && { ...to, seconds: to.seconds + AROUND_SECONDS },
  };
  return intersection(intervals(wider), intervals(within))[0] ?? { from, to };
}

function has({ from, to }: Interval, at: Timestamp): boolean {
  const isAfter = from === undefined || compareTimestamps(at, from) >= 0;
  return isAfter && (to === undefined || compareTimestamps(at, to) < 0);
}

/** What one request has found so far, while its frames arrive. */
class HitsDraft {
  readonly #accepts: SoughtLine['accepts'];
  readonly #segment: Interval;
  readonly #without: ReadonlySet<string>;
  readonly #sources = new Map<number, LogSource>();
  readonly #readTo = new Map<string, Timestamp>();
  #incomplete: readonly string[] | undefined;
  #hits = 0;
  #last: WireRecord | undefined;
  /** The first hit that the facets accept. */
  found: WireRecord | undefined;
  /** Whether the interval was read to its end, or to its last hit. */
  isWhole = false;
  /** Whether further frames are of no use. */
  isOver = false;
  failed: readonly LogSource[] = [];
  /** Whether lines are missing that the node may still have. */
  hasGap = false;
  bytes = 0;
  containersDone = 0;
  containers = 0;

  constructor(accepts: SoughtLine['accepts'], segment: Interval, without: ReadonlySet<string>) {
    this.#accepts = accepts;
    this.#segment = segment;
    this.#without = without;
  }

  /** The last hit if the request reached its hit limit, so that more may follow; the facets refused all of them. */
  get refused(): WireRecord | undefined {
    return this.#hits < HITS ? undefined : this.#last;
  }

  /** Whether the scan reported how far it came. */
  get hasEnded(): boolean {
    return this.#incomplete !== undefined;
  }

  /** Every container was read up to this time. Undefined: at least one container has no coverage. */
  get readTo(): Timestamp | undefined {
    const all = [...this.#sources.values()].map(({ id }) => id).filter((id) => !this.#without.has(id));
    const ends = (this.#incomplete ?? all).map((id) => this.#readTo.get(id));
    return ends.reduce(
      (first, end) =>
        first === undefined || end === undefined
          ? undefined
          : compareTimestamps(end, first) < 0
            ? end
            : first,
      ends[0],
    );
  }

  take(frame: ScanFrame): void {
    switch (frame.type) {
      case 'sources':
        for (const source of frame.sources) this.#sources.set(source.index, source);
        return;
      case 'records':
        this.#takeHits(frame.records);
        return;
      case 'coverage': {
        const to = frame.to === undefined ? undefined : parseTimestamp(frame.to);
        if (to !== undefined) this.#readTo.set(frame.id, to);
        return;
      }
      case 'scanning':
        this.bytes = frame.bytes;
        this.containersDone = frame.containersDone;
        this.containers = frame.containers;
        return;
      case 'scanned':
        this.#takeEnd(frame);
        return;
      case 'done':
        this.isOver = true;
        return;
      case 'gap':
        this.hasGap ||= !isLost(frame.cause);
        return;
      case 'closing':
      case 'counts':
      case 'heartbeat':
      case 'notice':
      case 'state':
        return;
      default:
        frame satisfies never;
    }
  }

  #takeHits(records: readonly WireRecord[]): void {
    this.#hits += records.length;
    this.#last = records.at(-1) ?? this.#last;
    this.found ??= records.find((record) => {
      const wire = this.#sources.get(record[0]);
      return wire !== undefined && this.#accepts(wire) && has(this.#segment, timeOf(record));
    });
    this.isOver ||= this.found !== undefined;
  }

  #takeEnd({ bytes, stopped, incomplete, failed }: Extract<ScanFrame, { readonly type: 'scanned' }>): void {
    this.bytes = bytes;
    this.#incomplete = incomplete;
    this.isWhole = stopped === 'enough-hits' || (stopped === undefined && incomplete.length === 0);
    this.isOver = true;
    // If the scan ran out of time, a container without any coverage did not answer.
    const silent = stopped === 'time' ? incomplete.filter((id) => !this.#readTo.has(id)) : [];
    const unreadable = new Set([...failed, ...silent]);
    this.failed = [...this.#sources.values()].filter(({ id }) => unreadable.has(id));
  }
}

function timeOf([, seconds, nanos]: WireRecord): Timestamp {
  return { seconds, nanos };
}

/** Where the rest of an interval begins or ends after a refused hit; `same`: the interval does not change. */
function beyond({ from, to }: Interval, order: SeekOrder, at: Timestamp): Timestamp | 'same' {
  if (order === 'oldest') return from !== undefined && compareTimestamps(from, at) === 0 ? 'same' : at;
  const end = nextTime(at);
  return to !== undefined && compareTimestamps(to, end) === 0 ? 'same' : end;
}
