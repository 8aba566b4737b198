import type { Placement } from '../domain/container.ts';

/** What a look at the pods of a source came to; from it the person is told why there is nothing to show. */
export interface Tally {
  roots: number;
  /** Roots with `spec.replicas: 0`. */
  scaledToZero: number;
  /** Pods that belong to the source, filters aside. */
  pods: number;
  /** Pods that pass the filters by place. */
  kept: number;
  /** Names of the containers of the kept pods. */
  readonly containers: Set<string>;
  /** Places of the pods that were not kept, at most a handful. */
  readonly places: Placement[];
  /** For each spec of the source: some pod has a container that it means. */
  readonly found: boolean[];
}

export function emptyTally(specs: number): Tally {
  return {
    roots: 0,
    scaledToZero: 0,
    pods: 0,
    kept: 0,
    containers: new Set(),
    places: [],
    found: new Array<boolean>(specs).fill(false),
  };
}

/** Adds up what was seen in several namespaces. */
export function addTally(sum: Tally, more: Tally): void {
  sum.roots += more.roots;
  sum.scaledToZero += more.scaledToZero;
  sum.pods += more.pods;
  sum.kept += more.kept;
  for (const name of more.containers) sum.containers.add(name);
  sum.places.push(...more.places.slice(0, Math.max(0, MOST_PLACES - sum.places.length)));
  for (const [index, found] of more.found.entries()) if (found) sum.found[index] = true;
}

export const MOST_PLACES = 200;
