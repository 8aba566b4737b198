import type { LogSource } from '../../../contract/log-source.ts';

interface Facet {
  readonly title: string;
  /** The value shared by all lines of a container; undefined: each line has its own. */
  readonly valueOf: ((source: LogSource) => string | undefined) | undefined;
  /** Shown from this number of values: a single region offers no choice. */
  readonly minValues: number;
}

/**
 * The facets that lines are counted and filtered by, in the worker, in the address and beside the log, in this order.
 */
export const FACETS = {
  level: { title: 'Level', valueOf: undefined, minValues: 1 },
  container: { title: 'Container', valueOf: ({ id }) => id, minValues: 1 },
  run: { title: 'Runs', valueOf: ({ order }) => order, minValues: 1 },
  node: { title: 'Node', valueOf: ({ node }) => node, minValues: 1 },
  zone: { title: 'Zone', valueOf: ({ zone }) => zone, minValues: 1 },
  region: { title: 'Region', valueOf: ({ region }) => region, minValues: 2 },
  os: { title: 'OS', valueOf: ({ os }) => os, minValues: 2 },
  arch: { title: 'Architecture', valueOf: ({ arch }) => arch, minValues: 2 },
} as const satisfies Readonly<Record<string, Facet>>;

export type FacetName = keyof typeof FACETS;
export type SourceFacetName = Exclude<FacetName, 'level'>;

export const FACET_NAMES = Object.keys(FACETS) as readonly FacetName[];
export const SOURCE_FACET_NAMES = FACET_NAMES.filter((name): name is SourceFacetName => name !== 'level');

/** Makes a value for each facet. */
export function eachFacet<T>(make: (name: FacetName) => T): Readonly<Record<FacetName, T>> {
  return Object.fromEntries(FACET_NAMES.map((name) => [name, make(name)])) as Record<FacetName, T>;
}
