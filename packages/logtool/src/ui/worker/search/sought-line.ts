import { COUNTED_LEVELS, type CountedLevel } from '../../../domain/coverage/scan.ts';
import { LEVELS } from '../../../domain/filter.ts';
import type { FieldFilter } from '../../../domain/search/line-search.ts';
import type { SoughtLine } from '../coverage/seek-line.ts';
import type { ToWorker } from '../session/protocol.ts';
import { allows, allowsSource } from './facet-filter.ts';
import type { Searcher } from './searcher.ts';

/** What is looked for: a hit, an error, a warning, or any line that is shown. */
export type Sight = Extract<ToWorker, { readonly type: 'find' }>['what'] | 'shown';

/** Undefined: of any level. */
const LEVELS_OF: Readonly<Record<Sight, readonly CountedLevel[] | undefined>> = {
  error: LEVELS.slice(0, LEVELS.indexOf('error') + 1),
  warn: ['warn'],
  hit: undefined,
  shown: undefined,
};

/** The line that is looked for, as a scan finds it: the filters of the view hold for it too. */
export function soughtLine(what: Sight, searcher: Searcher, fields: readonly FieldFilter[]): SoughtLine {
  const { facets, isOnly, search } = searcher;
  const levels = COUNTED_LEVELS.filter(
    (level) => LEVELS_OF[what]?.includes(level) !== false && allows(facets, 'level', level),
  );
  return {
    search: what === 'hit' || isOnly ? search : undefined,
    fields,
    levels: levels.length === COUNTED_LEVELS.length ? undefined : levels,
    accepts: (source) => allowsSource(facets, { wire: source }),
  };
}
