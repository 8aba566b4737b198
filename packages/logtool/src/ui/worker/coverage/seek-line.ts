import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type ApiClient, ApiError } from '../../../contract/client.ts';
import type { ScanFrame } from '../../../contract/log-frame.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import type { ScanQuery } from '../../../contract/scan-query.ts';
import type { WireRecord } from '../../../contract/wire-record.ts';
import { type Interval, intersection, intervals, nextTime } from '../../../domain/coverage/interval.ts';
import type { CountedLevel } from '../../../domain/coverage/scan.ts';
import type { FieldFilter, LineSearch } from '../../../domain/search/line-search.ts';
import { untilSilent } from '../intake/watch-silence.ts';
import { FULL_BUDGET } from './range-scan.ts';

/** Hits of one request: some of them may be of containers or levels that facets hide. */
const HITS = 200;

/** Which line is sought. */
export interface SoughtLine {
  readonly search: LineSearch | undefined;
  readonly fields: readonly FieldFilter[];
  /** Of its record; undefined: any. */
  readonly levels: readonly CountedLevel[] | undefined;
  /** Whether facets let its container through. */
  readonly accepts: (source: LogSource) => boolean;
}

/** `unread`: not all of the interval could be read, so it may be there. */
export type Sought =
  | { readonly kind: 'found'; readonly at: Timestamp }
  | { readonly kind: 'none' }
  | { readonly kind: 'unread' };

export interface SeekOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly context: string;
  readonly sources: readonly string[];
  /** The range of the view: records are grouped inside of it. */
  readonly within: Interval;
  /** Records of several lines are sought as one, by their first lines. */
  readonly grouping: boolean;
  readonly nextQuery: () => number;
  readonly signal: AbortSignal;
}

/** Finds the first or the last line of an interval that is sought, without loading what lies before it. */
export async function seekLine(
  options: SeekOptions,
  interval: Interval,
  order: 'oldest' | 'newest',
  line: SoughtLine,
): Promise<Sought> {
  if (line.levels?.length === 0) return { kind: 'none' };
  let left = widened(interval, options);
  for (;;) {
    const read = await readHits(options, left, order, line);
    if (read === undefined) return { kind: 'unread' };
    const hit = read.hits.find((record) => {
      const wire = read.sources.get(record[0]);
      return wire !== undefined && line.accepts(wire) && has(interval, timeOf(record));
    });
    if (hit !== undefined) return { kind: 'found', at: timeOf(hit) };
    const last = read.hits.at(-1);
    if (last === undefined || read.hits.length < HITS) return { kind: read.isWhole ? 'none' : 'unread' };
    const next = beyond(left, order, timeOf(last));
    // All hits have one time: what else has it cannot be asked for.
    if (next === undefined) return { kind: 'unread' };
    left = next;
  }
}

interface Hits {
  readonly hits: readonly WireRecord[];
  readonly sources: ReadonlyMap<number, LogSource>;
  /** The interval was read to its end. */
  readonly isWhole: boolean;
}

/** Undefined: the server could not read it. */
async function readHits(
  { api, clock, context, sources, grouping, nextQuery, signal }: SeekOptions,
  { from, to }: Interval,
  order: 'oldest' | 'newest',
  { search, fields, levels }: SoughtLine,
): Promise<Hits | undefined> {
  const body: ScanQuery = {
    id: nextQuery(),
    sources: [...sources],
    from: from && formatTimestamp(from),
    to: to && formatTimestamp(to),
    search,
    fields: [...fields],
    grouping,
    ...(levels === undefined ? {} : { levels: [...levels] }),
    hits: { order, count: HITS },
    budget: FULL_BUDGET,
  };
  const draft = new HitsDraft();
  const open = (either: AbortSignal) =>
    api.stream('POST /contexts/{context}/scan', { params: { context }, body, signal: either });
  try {
    for await (const frames of untilSilent(open, { clock, signal })) {
      for (const frame of frames) draft.take(frame);
      if (draft.isOver) return draft.hits();
    }
  } catch (error) {
    if (!(error instanceof ApiError || signal.aborted)) throw error;
  }
  return undefined;
}

/** The lines of most records are written within this time: so much is read beyond an interval, to know those at its ends. */
const AROUND_SECONDS = 2;

/** The interval with what shows which records begin in it, inside of the range of the view. */
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

/** The hits of one request while its frames come. */
class HitsDraft {
  readonly #hits: WireRecord[] = [];
  readonly #sources = new Map<number, LogSource>();
  #isWhole: boolean | undefined;
  /** Nothing more is of use. */
  isOver = false;

  take(frame: ScanFrame): void {
    switch (frame.type) {
      case 'sources':
        for (const source of frame.sources) this.#sources.set(source.index, source);
        return;
      case 'records':
        this.#hits.push(...frame.records);
        return;
      case 'scanned':
        this.#isWhole =
          frame.stopped === 'enough-hits' || (frame.stopped === undefined && frame.incomplete.length === 0);
        this.isOver = true;
        return;
      case 'done':
        this.isOver = true;
        return;
      default:
    }
  }

  /** Undefined: the server could not read them. */
  hits(): Hits | undefined {
    if (this.#isWhole === undefined) return undefined;
    return { hits: this.#hits, sources: this.#sources, isWhole: this.#isWhole };
  }
}

function timeOf([, seconds, nanos]: WireRecord): Timestamp {
  return { seconds, nanos };
}

/** The rest of an interval, from a hit on that was refused; undefined: it is the same interval. */
function beyond({ from, to }: Interval, order: 'oldest' | 'newest', at: Timestamp): Interval | undefined {
  if (order === 'oldest')
    return from !== undefined && compareTimestamps(from, at) === 0 ? undefined : { from: at, to };
  const end = nextTime(at);
  return to !== undefined && compareTimestamps(to, end) === 0 ? undefined : { from, to: end };
}
