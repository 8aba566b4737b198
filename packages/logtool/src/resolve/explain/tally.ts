import type { ContainerState, ContainerTarget, Placement } from '../../domain/container.ts';

/** The counts from checking a source's pods. A message uses them to explain why there is nothing to show. */
export interface Tally {
  roots: number;
  /** Roots with `spec.replicas: 0`. */
  scaledToZero: number;
  /** Pods that belong to the source, before filters. */
  pods: number;
  /** Pods that pass the placement filters. */
  kept: number;
  /** Names of the containers of the kept pods. */
  readonly containers: Set<string>;
  /** Containers that the source selects and that are in a requested state. */
  shown: number;
  /** States of the containers that the source selects. */
  readonly states: Set<ContainerState['kind']>;
  /** Names of pods that were not kept, up to MAX_PLACEMENTS. */
  readonly names: Set<string>;
  /** Placements of pods that were not kept, up to MAX_PLACEMENTS. */
  readonly placements: Placement[];
  /** For each spec of the source, whether some pod has a container that it selects. */
  readonly found: boolean[];
}

export function emptyTally(specs: number): Tally {
  return {
    roots: 0,
    scaledToZero: 0,
    pods: 0,
    kept: 0,
    containers: new Set(),
    shown: 0,
    states: new Set(),
    names: new Set(),
    placements: [],
    found: new Array<boolean>(specs).fill(false),
  };
}

/** Adds the counts of another namespace. */
export function addTally(sum: Tally, more: Tally): void {
  sum.roots += more.roots;
  sum.scaledToZero += more.scaledToZero;
  sum.pods += more.pods;
  sum.kept += more.kept;
  for (const name of more.containers) sum.containers.add(name);
  sum.shown += more.shown;
  for (const state of more.states) sum.states.add(state);
  for (const name of more.names) if (sum.names.size < MAX_PLACEMENTS) sum.names.add(name);
  sum.placements.push(...more.placements.slice(0, Math.max(0, MAX_PLACEMENTS - sum.placements.length)));
  for (const [index, found] of more.found.entries()) if (found) sum.found[index] = true;
}

const MAX_PLACEMENTS = 200;

/** Records a pod that did not pass a filter: its name and placement may explain why nothing is left. */
export function tallyLeftOut(tally: Tally, name: string, placement: Placement): void {
  if (tally.names.size < MAX_PLACEMENTS) tally.names.add(name);
  if (tally.placements.length < MAX_PLACEMENTS) tally.placements.push(placement);
}

/** Records the states of the containers that the source selects in a pod, and which of its arguments select any. */
export function tallyChosen(
  tally: Tally,
  { targets, found }: { readonly targets: readonly ContainerTarget[]; readonly found: readonly boolean[] },
): void {
  for (const [index, isFound] of found.entries()) if (isFound) tally.found[index] = true;
  for (const { state } of targets) tally.states.add(state.kind);
}
