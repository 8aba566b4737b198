import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ApiClient } from '../../../contract/client.ts';
import type { FieldFilter, LineSearch } from '../../../domain/search/line-search.ts';
import type { ViewPlan } from '../session/protocol.ts';
import { intervalOf } from './missing.ts';
import { FIRST_BUDGET, FULL_BUDGET, RangeScan } from './range-scan.ts';

/** The lines of a view come first; and a search is not counted at each key. */
const DELAY_MS = 250;

export interface ViewScanOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly nextQuery: () => number;
  /** More is known of the range. */
  readonly onChange: () => void;
}

/**
 * The scan of what a view shows. A range that was chosen is counted by itself, within a small budget; without one, and
 * beyond that, it is counted when a person asks.
 */
export class ViewScan {
  readonly #options: ViewScanOptions;
  #plan: ViewPlan | undefined;
  #search: LineSearch | undefined;
  #fields: readonly FieldFilter[] = [];
  #scan: RangeScan | undefined;
  #cancel: (() => void) | undefined;

  constructor(options: ViewScanOptions) {
    this.#options = options;
  }

  /** Undefined: nothing was counted. */
  get scan(): RangeScan | undefined {
    return this.#scan;
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

  /** `search`: undefined if it finds every line. */
  setFilter(search: LineSearch | undefined, fields: readonly FieldFilter[]): void {
    const isSame = JSON.stringify([search, fields]) === JSON.stringify([this.#search, this.#fields]);
    this.#search = search;
    this.#fields = fields;
    if (!isSame) this.#restart();
  }

  /** Counts what was not read yet. */
  async readRest(): Promise<void> {
    this.#cancel?.();
    this.#scan ??= this.#open();
    if (this.#scan !== undefined && this.#scan.state !== 'reading') await this.#scan.read(FULL_BUDGET);
  }

  #restart(): void {
    this.#cancel?.();
    this.#scan?.close();
    this.#scan = undefined;
    if (this.#plan?.from === undefined && this.#plan?.to === undefined) return;
    this.#cancel = this.#options.clock.after(DELAY_MS, () => {
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
    });
  }
}

function rangeText({ context, sources, from, to }: ViewPlan): string {
  return JSON.stringify([context, sources, from?.kind, from?.at, to?.kind, to?.at]);
}
