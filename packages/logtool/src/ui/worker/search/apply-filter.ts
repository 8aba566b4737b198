import type { HeldLog } from '../store/held-log.ts';
import { facetPredicate } from './facet-filter.ts';
import type { FieldSearcher } from './field-searcher.ts';
import type { Searcher } from './searcher.ts';

/**
 * Applies facets, fields, search and pause to the view; shows everything while the view shows the lines around one
 * line.
 */
export function applyFilter(
  { view, store }: HeldLog,
  searcher: Searcher,
  fields: FieldSearcher,
  { isAround, isPaused }: { readonly isAround: boolean; readonly isPaused: boolean },
): void {
  const wanted = isAround ? undefined : facetPredicate(store.sources, searcher.facets);
  const byFields = !isAround && fields.isActive;
  const bySearch = !isAround && searcher.isOnly;
  const { filter } = view;
  const soughtLevels = searcher.levels;
  const next = { wanted, byFields, bySearch, soughtLevels, paused: isPaused };
  const names = ['wanted', 'byFields', 'bySearch', 'soughtLevels', 'paused'] as const;
  if (names.some((name) => next[name] !== filter[name])) view.filter = next;
}
