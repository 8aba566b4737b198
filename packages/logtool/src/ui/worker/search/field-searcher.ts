import { matchTerms } from '../../../domain/search/line-matcher.ts';
import type { FieldFilter } from '../../../domain/search/line-search.ts';
import { fieldTerms } from '../../../domain/search/search-query.ts';
import type { HeldLog } from '../store/held-log.ts';
import { Judge } from './judge.ts';

/** The filters chosen in JSON trees, as path and value; a record must match all of them. */
export class FieldSearcher {
  readonly #judge: Judge;
  #filters: readonly FieldFilter[] = [];

  constructor(log: HeldLog, onChange: () => void, previous?: FieldSearcher) {
    this.#judge = new Judge(log.store, 'fielded', () => log.view.invalidate(), onChange);
    if (previous !== undefined) this.setFilters(previous.#filters);
  }

  get filters(): readonly FieldFilter[] {
    return this.#filters;
  }

  get isActive(): boolean {
    return this.#filters.length > 0;
  }

  setFilters(filters: readonly FieldFilter[]): void {
    if (JSON.stringify(filters) === JSON.stringify(this.#filters)) return;
    this.#filters = filters;
    if (filters.length === 0) {
      this.#judge.stop();
      return;
    }
    this.#judge.start(matchTerms(fieldTerms(filters), { matchCase: true, wholeWord: false }));
  }

  settled(): Promise<void> {
    return this.#judge.settled();
  }

  close(): void {
    this.#judge.stop();
  }
}
