import type { ContainerTarget, Placement } from '../domain/container.ts';
import { type Glob, globMatches } from '../domain/glob.ts';
import type { ContainerFacts } from './container-facts.ts';
import type { PodFacts } from './pod-facts.ts';
import type { SourcePlan } from './resolve.ts';
import type { SourceGroup } from './source-group.ts';

/**
 * The containers of a pod that a source means. Without a container in the argument: the one that the annotation
 * kubectl.kubernetes.io/default-container names, else the first regular one; with `all`, every one of every kind.
 */
export function chooseContainers(
  pod: PodFacts,
  container: Glob | undefined,
  all: boolean,
): readonly ContainerFacts[] {
  if (container !== undefined) return pod.containers.filter(({ name }) => globMatches(container, name));
  if (all) return pod.containers;
  const chosen =
    pod.containers.find(({ name }) => name === pod.defaultContainer) ??
    pod.containers.find(({ kind }) => kind === 'regular');
  return chosen === undefined ? [] : [chosen];
}

/** Tells of a container of a pod which source arguments of a group, as typed, mean it. */
export function givenBy(
  { specs, given }: SourceGroup,
  pod: PodFacts,
  { allContainers }: SourcePlan,
): (target: ContainerTarget) => readonly string[] {
  const chosen = specs.map(({ container }) => chooseContainers(pod, container, allContainers));
  return ({ container }) =>
    chosen.flatMap((some, index) =>
      some.some(({ name }) => name === container) ? (given[index] ?? []) : [],
    );
}

/** The containers of a pod that a group of arguments means, and for each of the arguments whether it means any. */
export function chooseTargets(
  { specs }: SourceGroup,
  pod: PodFacts,
  placement: Placement,
  { allContainers }: SourcePlan,
): { readonly targets: readonly ContainerTarget[]; readonly found: readonly boolean[] } {
  const chosen = specs.map(({ container }) => chooseContainers(pod, container, allContainers));
  const isChosen = (container: ContainerFacts) => chosen.some((some) => some.includes(container));
  // Whoever names a container, or all, knows of the others.
  const isByDefault = specs.every(({ container }) => container === undefined);
  const left = isByDefault ? pod.containers.filter((container) => !isChosen(container)) : [];
  const hidden = left.map(({ name }) => name);
  return {
    targets: pod.containers
      .filter(isChosen)
      .map((container) => makeTarget(pod, container, placement, hidden)),
    found: chosen.map(({ length }) => length > 0),
  };
}

/** What the engine is told of a container. */
function makeTarget(
  pod: PodFacts,
  container: ContainerFacts,
  placement: Placement,
  hidden: readonly string[] = [],
): ContainerTarget {
  return {
    id: `${pod.uid}/${container.name}`,
    namespace: pod.namespace,
    pod: pod.name,
    podUid: pod.uid,
    container: container.name,
    kind: container.kind,
    placement,
    state: container.state,
    restartCount: container.restartCount,
    lastContainerId: container.lastContainerId,
    mayRestart: container.mayRestart,
    podPhase: pod.phase,
    deleting: pod.deleting,
    ...(hidden.length === 0 ? {} : { hidden }),
  };
}
