import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ApiClient } from '../../../contract/client.ts';
import type { FieldFilter, LineSearch } from '../../../domain/search/line-search.ts';
import { intervalOf } from '../known/missing.ts';
import type { ViewPlan } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import { isSameRange } from '../store/plan-change.ts';
import { FIRST_BUDGET, FULL_BUDGET, RangeScan } from './range-scan.ts';

/** Delay before a scan: the view's lines load first, and a search is not counted at each key press. */
const DELAY_MS = 250;
/** While the view still loads its first lines, the scan waits in steps of this length, up to a limit. */
const LOADING_STEP_MS = 100;
const MAX_LOADING_MS = 2_000;
/** A view without a range shows its newest lines and their counts first; the scan counts the others later. */
const UNBOUNDED_DELAY_MS = 1_000;

export interface ViewScanOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly nextQuery: () => number;
  /** Whether all lines of the logs are held, so that nothing more needs counting. */
  readonly holdsAll: () => boolean;
  /** Whether the view still loads the lines that it opens with or jumps to. */
  readonly isLoading: () => boolean;
  /** Whether a container (LogSource.id) answers requests for its log. */
  readonly hasAnswered: (id: string) => boolean;
  /** Called when more is known about the range. */
  readonly onChange: () => void;
}

/**
 * The scan behind what a view shows. It counts within a small budget on its own, and beyond that when a person asks. A
 * view without a range first loads its newest lines and counts what is held. Counts from the beginning of the logs
 * replace those when the first pass is over, complete or not, or while it reads if a person asked for it.
 */
export class ViewScan {
  readonly #options: ViewScanOptions;
  #plan: ViewPlan | undefined;
  #search: LineSearch | undefined;
  #fields: readonly FieldFilter[] = [];
  #grouping = false;
  #scan: RangeScan | undefined;
  #cancel: (() => void) | undefined;
  #isAsked = false;
  #isOn = true;

  constructor(options: ViewScanOptions) {
    this.#options = options;
  }

  /** Undefined: no counts can be shown. */
  get scan(): RangeScan | undefined {
    const scan = this.#scan;
    if (scan?.isUnbounded !== true || this.#isAsked) return scan;
    const hasCounts = scan.state !== 'reading' && scan.counts.bucketMs !== undefined;
    return scan.state === 'done' || hasCounts ? scan : undefined;
  }

  /** Whether a count of all logs that no user asked for ended before it had counted anything. */
  get isCut(): boolean {
    return this.scan === undefined && (this.#scan?.state === 'stopped' || this.#scan?.state === 'failed');
  }

  /** Counts arriving lines before they are evicted. */
  updateLater(log: HeldLog): void {
    this.#scan?.updateLater(log);
  }

  /** Continues where the scan ended: lines may have arrived that are not held. */
  async readOn(): Promise<void> {
    if (this.#scan?.state === 'done' && this.#scan.range.to === undefined)
      await this.#scan.read(FIRST_BUDGET);
  }

  /** Counts containers that answered late, if the count by itself has only waited for them. */
  readAnswered(): void {
    const isShown = this.scan !== undefined;
    const isReading = this.#scan?.readAnswered(this.#options.hasAnswered) === true;
    // The counts stay while the scan reads on.
    if (isReading && isShown) this.#isAsked = true;
  }

  close(): void {
    this.#cancel?.();
    this.#scan?.close();
  }

  setPlan(plan: ViewPlan): void {
    const isSame = this.#plan !== undefined && isSameScan(this.#plan, plan);
    this.#plan = plan;
    if (!isSame) this.#restart();
  }

  /** `search`: undefined if it matches every line. `grouping`: whether lines of one record count as one. */
  setFilter(search: LineSearch | undefined, fields: readonly FieldFilter[], grouping: boolean): void {
    const before = [this.#search, this.#fields, this.#grouping];
    const isSame = JSON.stringify([search, fields, grouping]) === JSON.stringify(before);
    this.#search = search;
    this.#fields = fields;
    this.#grouping = grouping;
    if (!isSame) this.#restart();
  }

  /** Turns the scan off while its counts are not needed. */
  turn(isOn: boolean): void {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#restart();
  }

  /** Counts what was not read yet. */
  async readRest(): Promise<void> {
    if (!this.#isOn) return;
    this.#cancel?.();
    this.#isAsked = true;
    this.#scan ??= this.#open();
    if (this.#scan !== undefined && this.#scan.state !== 'reading') await this.#read(FULL_BUDGET);
  }

  async #read(budget: typeof FIRST_BUDGET): Promise<void> {
    const scan = this.#scan;
    await scan?.read(budget);
    // A container may have answered the view while the count waited for it.
    if (scan === this.#scan) this.readAnswered();
  }

  #restart(): void {
    this.#cancel?.();
    this.#scan?.close();
    this.#scan = undefined;
    this.#isAsked = false;
    if (!this.#isOn) return;
    const isUnbounded = this.#plan?.from === undefined && this.#plan?.to === undefined;
    const { clock, holdsAll } = this.#options;
    const begin = () => {
      if (isUnbounded && holdsAll()) return;
      this.#scan = this.#open();
      void this.#read(FIRST_BUDGET);
    };
    this.#cancel = clock.after(isUnbounded ? UNBOUNDED_DELAY_MS : DELAY_MS, () => this.#onceLoaded(begin, 0));
  }

  /** Delays a scan until the view has its first lines, because both read the same logs from the server. */
  #onceLoaded(begin: () => void, waitedMs: number): void {
    const { clock, isLoading } = this.#options;
    if (isLoading() && waitedMs < MAX_LOADING_MS)
      this.#cancel = clock.after(LOADING_STEP_MS, () => this.#onceLoaded(begin, waitedMs + LOADING_STEP_MS));
    else begin();
  }

  #open(): RangeScan | undefined {
    const plan = this.#plan;
    if (plan === undefined || plan.sources.length === 0) return undefined;
    const { context, sources, readsRotated } = plan;
    const range = intervalOf(plan);
    return new RangeScan({
      ...this.#options,
      context,
      sources,
      readsRotated,
      range,
      search: this.#search,
      fields: this.#fields,
      grouping: this.#grouping,
    });
  }
}

function isSameScan(a: ViewPlan, b: ViewPlan): boolean {
  return isSameRange(a, b) && JSON.stringify(a.sources) === JSON.stringify(b.sources);
}
