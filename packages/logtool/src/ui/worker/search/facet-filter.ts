import { LEVELS } from '../../../domain/filter.ts';
import {
  FACET_NAMES,
  FACETS,
  type FacetName,
  SOURCE_FACET_NAMES,
  type SourceFacetName,
} from '../protocol/facet-table.ts';
import type { FacetFilter } from '../protocol/protocol.ts';
import type { HeldSource, SourceTable } from '../store/source-table.ts';

type Wanted = (source: number, level: number) => boolean;

const cache = new WeakMap<FacetFilter, { readonly sources: SourceTable; readonly wanted: Wanted }>();

/** Which sources and levels the facets accept; undefined: all. Returns the same function for the same filter. */
export function facetPredicate(sources: SourceTable, filter: FacetFilter): Wanted | undefined {
  const names = FACET_NAMES.filter(
    (name) => (filter.include[name]?.length ?? 0) > 0 || (filter.exclude[name]?.length ?? 0) > 0,
  );
  if (names.length === 0) return undefined;
  const known = cache.get(filter);
  if (known?.sources === sources) return known.wanted;
  // By source: whether its facts pass, and the facts for which that was decided.
  const passes: boolean[] = [];
  const facts: unknown[] = [];
  const levels = Array.from({ length: LEVELS.length + 1 }, (_, level) =>
    allows(filter, 'level', levelName(level)),
  );
  const wanted: Wanted = (source, level) => {
    const held = sources.get(source);
    if (facts[source] !== held.wire) {
      facts[source] = held.wire;
      passes[source] = allowsSource(filter, held);
    }
    return passes[source] === true && levels[level] === true;
  };
  cache.set(filter, { sources, wanted });
  return wanted;
}

/** Whether the facets accept any line of a source. */
export function allowsSource(filter: FacetFilter, source: Pick<HeldSource, 'wire'>): boolean {
  return SOURCE_FACET_NAMES.every((name) => allows(filter, name, facetValue(source, name)));
}

/** Whether the facets may accept a line of any run of a source's container, whether or not that run is known. */
export function allowsContainer(filter: FacetFilter, source: Pick<HeldSource, 'wire'>): boolean {
  const { run: runs = [] } = filter.include;
  const isChosen = runs.length === 0 || runs.some((order) => order.startsWith(`${source.wire.id}/`));
  return (
    isChosen &&
    SOURCE_FACET_NAMES.every((name) => name === 'run' || allows(filter, name, facetValue(source, name)))
  );
}

/** The facet value of a source, or the empty string if it has none. */
export function facetValue({ wire }: Pick<HeldSource, 'wire'>, name: SourceFacetName): string {
  return FACETS[name].valueOf(wire) ?? '';
}

/** Name of a level's facet value; `none` for lines without a level. */
export function levelName(level: number): string {
  return LEVELS[level] ?? 'none';
}

/** Whether a filter accepts a value of one facet. */
export function allows(filter: FacetFilter, name: FacetName, value: string): boolean {
  const include = filter.include[name] ?? [];
  return (include.length === 0 || include.includes(value)) && !(filter.exclude[name] ?? []).includes(value);
}

/** Whether the filter includes or excludes runs. */
export function isByRun({ include, exclude }: FacetFilter): boolean {
  return (include.run?.length ?? 0) > 0 || (exclude.run?.length ?? 0) > 0;
}
