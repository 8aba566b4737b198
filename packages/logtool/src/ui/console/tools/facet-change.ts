import type { FacetName } from '../../worker/protocol/facet-table.ts';
import type { ViewSource } from '../../worker/protocol/protocol.ts';
import { presentSources } from '../state/standing.ts';
import type { ConsoleUrl } from '../url/console-url.ts';

type Facets = Pick<ConsoleUrl, 'inc' | 'exc'>;
/** The change to the URL: an undefined value is removed from it. */
export type FacetChange = { readonly [K in keyof Facets]: Facets[K] | undefined };
type Values = ConsoleUrl['inc'];
export type FacetState = 'included' | 'excluded' | undefined;

/** Whether a value is included, excluded, or neither. */
export function facetState(url: Facets, facet: FacetName, value: string): FacetState {
  if (url.inc?.[facet]?.includes(value) === true) return 'included';
  return url.exc?.[facet]?.includes(value) === true ? 'excluded' : undefined;
}

/** Puts a value on one side, or removes it if it is already there. It is never on both. */
export function toggleFacet(
  url: Facets,
  facet: FacetName,
  value: string,
  side: 'included' | 'excluded',
): FacetChange {
  const was = facetState(url, facet, value);
  const inc = without(url.inc, facet, value);
  const exc = without(url.exc, facet, value);
  if (was === side) return { inc, exc };
  return side === 'included'
    ? { inc: added(inc, facet, value), exc }
    : { inc, exc: added(exc, facet, value) };
}

/** Removes a value from both sides. */
export function clearFacet(url: Facets, facet: FacetName, value: string): FacetChange {
  return { inc: without(url.inc, facet, value), exc: without(url.exc, facet, value) };
}

/**
 * Removes containers from the view. Removes the sources that select only these containers, unless no source would
 * remain; for other sources, excludes the containers with a filter that the user can remove again.
 */
export function leaveOut(
  url: Facets & Pick<ConsoleUrl, 'src'>,
  sources: readonly ViewSource[],
  ids: readonly string[],
): FacetChange & Pick<ConsoleUrl, 'src'> {
  const left = new Set(ids);
  const here = presentSources(sources);
  const keeps = (argument: string) => {
    const own = here.filter((source) => source.arguments.includes(argument));
    return own.length === 0 || own.some(({ id }) => !left.has(id));
  };
  const kept = url.src.filter(keeps);
  const src = kept.length === 0 ? url.src : kept;
  const remain = here.filter(
    ({ id, arguments: own }) => left.has(id) && own.some((each) => src.includes(each)),
  );
  let { inc, exc }: FacetChange = { inc: url.inc, exc: url.exc };
  for (const id of new Set(remain.map((source) => source.id))) {
    inc = without(inc, 'container', id);
    exc = added(without(exc, 'container', id), 'container', id);
  }
  return { inc, exc, src };
}

function added(values: Values, facet: FacetName, value: string): Values {
  return { ...values, [facet]: [...(values?.[facet] ?? []), value] };
}

function without(values: Values, facet: FacetName, value: string): Values | undefined {
  if (values === undefined) return undefined;
  const { [facet]: own = [], ...others } = values;
  const left = own.filter((each) => each !== value);
  const next = left.length === 0 ? others : { ...others, [facet]: left };
  return Object.keys(next).length === 0 ? undefined : next;
}

/** `path=value` or `!path=value` of the URL, parsed. */
export interface FieldChip {
  readonly text: string;
  readonly path: string;
  readonly value: string;
  readonly isExcluded: boolean;
}

/** The field filters of the address (`path=value`, `!path=value`) as chips. */
export function fieldChips(fields: readonly string[] | undefined): readonly FieldChip[] {
  return (fields ?? []).map((text) => {
    const isExcluded = text.startsWith('!');
    const equals = text.indexOf('=');
    return { text, path: text.slice(isExcluded ? 1 : 0, equals), value: text.slice(equals + 1), isExcluded };
  });
}
