import { LEVELS } from '../../../domain/filter.ts';
import { parseJsonLine, pathsOf } from '../../../domain/search/json-path.ts';
import { eachFacet, SOURCE_FACET_NAMES } from '../../facets/facet-table.ts';
import type { FacetCounts } from '../session/protocol.ts';
import { ENTRY_FLAGS, KIND } from '../store/entry-table.ts';
import type { HeldLog } from '../store/held-log.ts';
import { linesOf } from '../store/source-table.ts';
import { facetValue, levelName } from './facet-filter.ts';

const MAX_FIELDS = 30;
/** JSON lines that are taken apart to know their fields. */
const SAMPLE_LINES = 300;

/** Lines by value over all that is held, exactly; JSON fields of a sample of the view, with its size. */
export function countFacets(log: HeldLog): FacetCounts {
  const counts = eachFacet(tally);
  const { level } = counts;
  for (const source of log.store.sources.all) {
    const lines = linesOf(source);
    for (const name of SOURCE_FACET_NAMES) {
      const value = facetValue(source, name);
      if (value !== '') counts[name][value] = (counts[name][value] ?? 0) + lines;
    }
    for (let index = 0; index <= LEVELS.length; index++) {
      const count = source.levels[index] ?? 0;
      if (count > 0) level[levelName(index)] = (level[levelName(index)] ?? 0) + count;
    }
  }
  return { ...counts, ...sampleFields(log) };
}

/** Names of values are not ours: no prototype to pollute. */
function tally(): Record<string, number> {
  return Object.create(null) as Record<string, number>;
}

function sampleFields({ store, view }: HeldLog): Pick<FacetCounts, 'fields' | 'fieldsOf'> {
  const counts = new Map<string, number>();
  const step = Math.max(1, Math.floor(view.total / SAMPLE_LINES));
  let lines = 0;
  for (let index = view.total - 1; index >= 0; index -= step) {
    const id = view.at(index);
    if (id === undefined || store.table.kind(id) !== KIND.line) continue;
    lines++;
    if ((store.table.flags(id) & ENTRY_FLAGS.json) === 0) continue;
    for (const path of pathsOf(parseJsonLine(store.text(id)), 100))
      counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  const fields = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_FIELDS);
  return { fields, fieldsOf: lines };
}
