import type { FieldFilter, LineSearch } from '../../../domain/search/line-search.ts';
import type { ViewPlan } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import { ViewScan, type ViewScanOptions } from './view-scan.ts';

/** What a view shows and marks. */
interface CountedFilter {
  /** Undefined: no search. */
  readonly search: LineSearch | undefined;
  /** Whether only lines that match the search are shown. */
  readonly isOnly: boolean;
  readonly fields: readonly FieldFilter[];
  /** Whether lines of one record count as one. */
  readonly grouping: boolean;
}

/** The scans behind a view. */
export class ViewScans {
  /** Counts what is shown, and the hits, if one scan can count both. */
  readonly shown: ViewScan;
  /** Counts the hits if field filters choose the lines that are shown, and the search only marks some of them. */
  readonly hits: ViewScan;

  constructor(options: ViewScanOptions) {
    this.shown = new ViewScan(options);
    // The server keeps what the other scan reads.
    const isLoading = () => options.isLoading() || this.shown.scan?.state === 'reading';
    this.hits = new ViewScan({ ...options, isLoading });
    this.hits.turn(false);
  }

  get #all(): readonly ViewScan[] {
    return [this.shown, this.hits];
  }

  setPlan(plan: ViewPlan): void {
    for (const scan of this.#all) scan.setPlan(plan);
  }

  setFilter({ search, isOnly, fields, grouping }: CountedFilter): void {
    const marksOnly = search !== undefined && !isOnly && fields.length > 0;
    this.shown.setFilter(marksOnly ? undefined : search, fields, grouping);
    this.hits.setFilter(search, fields, grouping);
    this.hits.turn(marksOnly);
  }

  /** Counts arriving lines before they are evicted. */
  updateLater(log: HeldLog): void {
    for (const scan of this.#all) scan.updateLater(log);
  }

  /** Continues where the scans ended: lines may have arrived that are not held. */
  readOn(): void {
    for (const scan of this.#all) void scan.readOn();
  }

  /** Counts containers that answered late, if the counts by themselves have only waited for them. */
  readAnswered(): void {
    for (const scan of this.#all) scan.readAnswered();
  }

  /** Counts what was not read yet. */
  readRest(): void {
    for (const scan of this.#all) void scan.readRest();
  }

  close(): void {
    for (const scan of this.#all) scan.close();
  }
}
