import { LEVELS, type Level } from '../../../domain/filter.ts';
import { levelIndex } from '../../../domain/level.ts';
import type { FieldFilter } from '../../../domain/search/line-search.ts';
import type { SoughtLine } from '../coverage/seek-line.ts';
import type { ToWorker } from '../session/protocol.ts';
import { allows, allowsSource, levelName } from './facet-filter.ts';
import type { Searcher } from './searcher.ts';

/** What is looked for: a hit, an error, a warning, or any line that is shown. */
export type Sight = Extract<ToWorker, { readonly type: 'find' }>['what'] | 'shown';

const LEVELS_OF: Readonly<Record<Sight, readonly Level[]>> = {
  error: LEVELS.slice(0, LEVELS.indexOf('error') + 1),
  warn: ['warn'],
  hit: [],
  shown: [],
};

/** The line that is looked for, as a scan finds it: the filters of the view hold for it too. */
export function soughtLine(what: Sight, searcher: Searcher, fields: readonly FieldFilter[]): SoughtLine {
  const { facets, isOnly, search } = searcher;
  const included = facets.include.level ?? [];
  const isListed = included.length > 0 && !included.includes('none');
  const levels =
    what === 'hit' || what === 'shown'
      ? isListed
        ? LEVELS.filter((level) => included.includes(level))
        : []
      : LEVELS_OF[what];
  return {
    search: what === 'hit' || isOnly ? search : undefined,
    fields,
    levels,
    accepts: (source, text) =>
      allowsSource(facets, { wire: source }) &&
      allows(facets, 'level', levelName(levelIndex(encoder.encode(text)))),
  };
}

const encoder = new TextEncoder();
