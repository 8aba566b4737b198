import type { EntryId } from '../session/protocol.ts';
import { VERDICT } from './entry-table.ts';
import type { LineStore } from './line-store.ts';
import type { ViewFilter } from './view.ts';

/** Whether facets, fields or the search leave anything out. */
export function isFiltering({ wanted, byFields, bySearch }: ViewFilter): boolean {
  return wanted !== undefined || byFields || bySearch;
}

/** Whether facets, fields and search let a held line through: it is shown, now or when the pause is over. */
export function passesFilter({ table }: LineStore, filter: ViewFilter, id: EntryId): boolean {
  const { wanted, byFields, bySearch } = filter;
  if (wanted !== undefined && !wanted(table.source(id), table.level(id))) return false;
  if (byFields && table.verdict('fielded', id) !== VERDICT.hit) return false;
  return !bySearch || table.verdict('searched', id) === VERDICT.hit;
}
