import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type Attempt, retry } from '@logtool/kube/src/values/retry.ts';
import { formatTimestamp, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { type ApiClient, ApiError } from '../../../contract/client.ts';
import type { WireError } from '../../../contract/error.ts';
import type { ScanFrame } from '../../../contract/log-frame.ts';
import type { ScanQuery } from '../../../contract/scan-query.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import { BUCKET_WIDTHS_MS } from '../../../domain/coverage/scan.ts';
import { levelTest } from '../../../domain/search/line-matcher.ts';
import type { FieldFilter, LineSearch } from '../../../domain/search/line-search.ts';
import { parseSearch } from '../../../domain/search/search-query.ts';
import { RECONNECT_WAITS } from '../../api/reconnect-waits.ts';
import { brokenOff, untilSilent } from '../../api/watch-silence.ts';
import { isClusterAway } from '../intake/cluster-away.ts';
import type { ScanStatus } from '../protocol/protocol.ts';
import { viewQuery } from '../protocol/view-query.ts';
import type { HeldLog } from '../store/held-log.ts';
import { LaterCounts } from './later-counts.ts';
import { RangeCounts, type ScannedGap } from './range-counts.ts';

/** What a scan reads without being asked, when a range is opened or searched. */
export const FIRST_BUDGET = { bytes: 64 * 1024 * 1024, ms: 3_000 };
/** What it reads when a person asks for the rest. */
export const FULL_BUDGET = { bytes: 2 ** 30, ms: 60_000 };

/** How often containers are read again that could not be read while the cluster answered. */
const MAX_CONTAINER_TRIES = 4;

/** Buckets of a range: more than a chart has, so that each bar combines complete buckets. */
const MAX_BUCKETS = 1_000;
/** Bars cover whole seconds. */
const MIN_BUCKET_MS = 1_000;

export interface RangeScanOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly context: string;
  readonly sources: readonly string[];
  readonly readsRotated: boolean | undefined;
  readonly range: Interval;
  readonly search: LineSearch | undefined;
  readonly fields: readonly FieldFilter[];
  /** Whether neighboring lines of one record count as one. */
  readonly grouping: boolean;
  readonly nextQuery: () => number;
  /** Called when more is known. */
  readonly onChange: () => void;
}

/** `stopped`: the scan has used its budget and can continue. */
type ScanState = 'reading' | 'stopped' | 'done' | 'failed';

/** Counts the lines of a range on the server, in passes that each continue where the previous one stopped. */
export class RangeScan {
  readonly counts = new RangeCounts();
  /**
   * Counts of lines that the scan has not read: those that arrived later in a range without an end, and held ones of
   * containers that no longer exist.
   */
  readonly later = new LaterCounts();
  readonly #options: RangeScanOptions;
  readonly #abort = new AbortController();
  /** Ends the repetitions of the last call of `read`. */
  #repeat = new AbortController();
  readonly #bucketMs: number;
  readonly soughtLevels: ((level: number) => boolean) | undefined;
  state: ScanState = 'stopped';
  /** Whether a pass has ended, wholly or by its budget: it has named every container that existed. */
  hasListed = false;
  error: WireError | undefined;
  /** What did not answer the last pass that ended, so that another one comes; undefined: it had an answer. */
  away: ScanStatus['away'];
  /** Whether the last pass ended because its time was over. */
  #isOutOfTime = false;
  /** Bytes that all passes have read. */
  #bytes = 0;
  /** Containers for which `readAnswered` has read on. */
  readonly #readOnFor = new Set<string>();
  /** The approximate share of the current pass that was read, from 0 to 1; undefined: unknown. */
  progress: number | undefined;

  constructor(options: RangeScanOptions) {
    this.#options = options;
    const { from, to } = options.range;
    const toMs = to === undefined ? options.clock.now() : timestampToMs(to);
    const spanMs = from === undefined ? 0 : toMs - timestampToMs(from);
    const fits = (widthMs: number) => widthMs >= MIN_BUCKET_MS && spanMs / widthMs <= MAX_BUCKETS;
    const { search } = options;
    this.soughtLevels =
      search === undefined || search.regex ? undefined : levelTest(parseSearch(search.text));
    this.#bucketMs = BUCKET_WIDTHS_MS.find(fits) ?? MIN_BUCKET_MS;
  }

  get range(): Interval {
    return this.#options.range;
  }

  /** Where the scan found missing lines that no held rows have, as of the last `updateLater`. */
  get gaps(): readonly ScannedGap[] {
    return this.counts.gaps.flatMap((gap) => this.later.restOf(gap) ?? []);
  }

  /** Whether only lines that match a search count as matches. */
  get isSearching(): boolean {
    return this.#options.search !== undefined;
  }

  /** Whether only lines with certain fields count as matches. */
  get hasFields(): boolean {
    return this.#options.fields.length > 0;
  }

  /** Whether the range has neither a start nor an end, so that it covers everything. */
  get isUnbounded(): boolean {
    return this.range.from === undefined && this.range.to === undefined;
  }

  close(): void {
    this.#abort.abort();
    this.#repeat.abort();
    this.later.restart();
  }

  /**
   * Counts lines that the scan has not read. Call it before lines are evicted and before counts are shown.
   */
  updateLater(log: HeldLog): void {
    // A pass that failed leaves what the passes before it have read.
    if (this.state !== 'reading') this.later.update(log, this);
  }

  /**
   * Reads on within the budget, and again while the cluster or the page's server does not answer. Resolves when that is
   * over, or another call continues the scan.
   */
  async read(budget: NonNullable<ScanQuery['budget']>): Promise<void> {
    this.#repeat.abort();
    this.#repeat = new AbortController();
    const { signal } = this.#repeat;
    let failures = 0;
    const { onChange } = this.#options;
    const attempt = async (): Promise<Attempt<void>> => {
      await this.#readOnce(budget);
      if (!signal.aborted) {
        this.away = this.#whoIsAway();
        onChange();
      }
      const error = signal.aborted ? undefined : this.#awayError(failures++);
      return error === undefined ? { state: 'done', value: undefined } : { state: 'failed', error };
    };
    try {
      await retry(RECONNECT_WAITS, attempt, { clock: this.#options.clock, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /**
   * Reads on once for containers that did not answer before the time of the last pass was over, and have answered since:
   * as much as the scan would have read of them by itself. Returns whether there are any.
   */
  readAnswered(hasAnswered: (id: string) => boolean): boolean {
    const bytes = FIRST_BUDGET.bytes - this.#bytes;
    if (this.state !== 'stopped' || !this.#isOutOfTime || bytes <= 0) return false;
    const isLate = (id: string) => this.counts.readOf(id)?.to === undefined && hasAnswered(id);
    const late = this.counts.incomplete.filter((id) => isLate(id) && !this.#readOnFor.has(id));
    for (const id of late) this.#readOnFor.add(id);
    if (late.length > 0) void this.read({ ...FIRST_BUDGET, bytes });
    return late.length > 0;
  }

  /**
   * The error that another pass may not meet; undefined: the pass is over. Containers may have failed because the
   * cluster went away, or for a reason of their own: they are read again a few times only.
   */
  #awayError(failures: number): WireError | undefined {
    const { state, error, counts } = this;
    if (state === 'failed') return error !== undefined && isAway(error) ? error : undefined;
    // The budget is used: a person decides whether to read on.
    if (state !== 'done') return undefined;
    const away = counts.sourceErrors.find(isAway);
    if (away !== undefined) return away;
    return counts.failed.length > 0 && failures < MAX_CONTAINER_TRIES ? brokenOff().error : undefined;
  }

  #whoIsAway(): ScanStatus['away'] {
    const { state, error, counts } = this;
    const known = state === 'failed' ? error : counts.sourceErrors.find(isAway);
    if (known === undefined || !isAway(known)) return undefined;
    return isClusterAway(known.code) ? 'cluster' : 'server';
  }

  /** Resolves when one pass is over. */
  async #readOnce(budget: NonNullable<ScanQuery['budget']>): Promise<void> {
    if (this.#abort.signal.aborted) return;
    this.state = 'reading';
    this.progress = undefined;
    this.later.restart();
    this.error = undefined;
    const { onChange } = this.#options;
    onChange();
    try {
      await this.#pass(budget);
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.state = 'failed';
      this.error = error.error;
    } finally {
      onChange();
    }
  }

  async #pass(budget: NonNullable<ScanQuery['budget']>): Promise<void> {
    const { api, clock, range, context, search, fields, grouping, nextQuery, onChange } = this.#options;
    const positions = this.counts.positions(clock.now());
    const body: ScanQuery = {
      id: nextQuery(),
      ...viewQuery(this.#options),
      from: range.from && formatTimestamp(range.from),
      to: range.to && formatTimestamp(range.to),
      bucketMs: this.#bucketMs,
      search,
      fields: [...fields],
      grouping,
      budget,
      ...(positions.length === 0 ? {} : { positions }),
    };
    const open = (signal: AbortSignal) =>
      api.stream('POST /contexts/{context}/scan', { params: { context }, body, signal });
    for await (const frames of untilSilent(open, { clock, signal: this.#abort.signal })) {
      for (const frame of frames) this.#take(frame);
      onChange();
      if (this.state !== 'reading') return;
    }
    throw brokenOff();
  }

  #take(frame: ScanFrame): void {
    this.counts.take(frame);
    if (frame.type === 'scanning') this.progress = progressOf(frame);
    else if (frame.type === 'done' && frame.error !== undefined) {
      this.state = 'failed';
      this.error = frame.error;
    } else if (frame.type === 'scanned') {
      this.hasListed = true;
      this.#bytes += frame.bytes;
      this.#isOutOfTime = frame.stopped === 'time';
      this.state = frame.stopped === undefined ? 'done' : 'stopped';
    }
  }
}

/** Whether the request was fine, but the cluster or the page's server did not answer. */
function isAway({ code }: WireError): boolean {
  return isClusterAway(code) || code === 'page-cut' || code === 'server-unreachable';
}

function progressOf({
  bytes,
  bytesEstimated,
}: Extract<ScanFrame, { readonly type: 'scanning' }>): number | undefined {
  return bytesEstimated === undefined ? undefined : Math.min(1, bytes / Math.max(1, bytesEstimated));
}
