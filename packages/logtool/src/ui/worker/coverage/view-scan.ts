import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ApiClient } from '../../../contract/client.ts';
import type { FieldFilter, LineSearch } from '../../../domain/search/line-search.ts';
import type { ViewPlan } from '../session/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import { intervalOf } from './missing.ts';
import { FIRST_BUDGET, FULL_BUDGET, RangeScan } from './range-scan.ts';

/** The lines of a view come first; and a search is not counted at each key. */
const DELAY_MS = 250;
/** Without a range the view holds its newest lines, with their counts: the others come after them. */
const UNBOUNDED_DELAY_MS = 1_000;

export interface ViewScanOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly nextQuery: () => number;
  /** Whether all lines of the logs are held: there is nothing more to count. */
  readonly holdsAll: () => boolean;
  /** More is known of the range. */
  readonly onChange: () => void;
}

/**
 * The scan of what a view shows: it counts by itself, within a small budget; beyond that, when a person asks. Without a
 * range the newest lines are read first and counted as they are held, so that counts from the beginning of the logs take
 * their place only when they are whole, or were asked for.
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

  constructor(options: ViewScanOptions) {
    this.#options = options;
  }

  /** Undefined: nothing was counted that can be shown. */
  get scan(): RangeScan | undefined {
    const scan = this.#scan;
    return scan?.isUnbounded === true && !this.#isAsked && scan.state !== 'done' ? undefined : scan;
  }

  /** A count of all logs, which nobody asked for, is over and not whole. */
  get isCut(): boolean {
    return this.scan === undefined && (this.#scan?.state === 'stopped' || this.#scan?.state === 'failed');
  }

  /** Counts lines that came, before they are let go. */
  updateLater(log: HeldLog): void {
    this.#scan?.updateLater(log);
  }

  /** Lines may have come that are not held: reads on from where the scan was over. */
  async readOn(): Promise<void> {
    if (this.#scan?.state === 'done' && this.#scan.range.to === undefined)
      await this.#scan.read(FIRST_BUDGET);
  }

  close(): void {
    this.#cancel?.();
    this.#scan?.close();
  }

  setPlan(plan: ViewPlan): void {
    const isSame = this.#plan !== undefined && rangeText(this.#plan) === rangeText(plan);
    this.#plan = plan;
    if (!isSame) this.#restart();
  }

  /** `search`: undefined if it finds every line. `grouping`: lines that are one record are counted as one. */
  setFilter(search: LineSearch | undefined, fields: readonly FieldFilter[], grouping: boolean): void {
    const before = [this.#search, this.#fields, this.#grouping];
    const isSame = JSON.stringify([search, fields, grouping]) === JSON.stringify(before);
    this.#search = search;
    this.#fields = fields;
    this.#grouping = grouping;
    if (!isSame) this.#restart();
  }

  /** Counts what was not read yet. */
  async readRest(): Promise<void> {
    this.#cancel?.();
    this.#isAsked = true;
    this.#scan ??= this.#open();
    if (this.#scan !== undefined && this.#scan.state !== 'reading') await this.#scan.read(FULL_BUDGET);
  }

  #restart(): void {
    this.#cancel?.();
    this.#scan?.close();
    this.#scan = undefined;
    this.#isAsked = false;
    const isUnbounded = this.#plan?.from === undefined && this.#plan?.to === undefined;
    const { clock, holdsAll } = this.#options;
    this.#cancel = clock.after(isUnbounded ? UNBOUNDED_DELAY_MS : DELAY_MS, () => {
      if (isUnbounded && holdsAll()) return;
      this.#scan = this.#open();
      void this.#scan?.read(FIRST_BUDGET);
    });
  }

  #open(): RangeScan | undefined {
    const plan = this.#plan;
    if (plan === undefined || plan.sources.length === 0) return undefined;
    const { context, sources } = plan;
    const range = intervalOf(plan);
    return new RangeScan({
      ...this.#options,
      context,
      sources,
      range,
      search: this.#search,
      fields: this.#fields,
      grouping: this.#grouping,
    });
  }
}

function rangeText({ context, sources, from, to }: ViewPlan): string {
  return JSON.stringify([context, sources, from?.kind, from?.at, to?.kind, to?.at]);
}
