import type { ContainerTarget, Placement } from '../../domain/container.ts';
import { type Glob, globMatches, makeGlob } from '../../domain/glob.ts';
import type { SourcePlan } from '../resolve.ts';
import type { SourceGroup } from '../sources/source-group.ts';
import type { ContainerFacts } from './container-facts.ts';
import { type PodFacts, workloadOf } from './pod-facts.ts';

/**
 * Returns the containers of a pod that a source selects, among those that pass the plan's filters by name and kind.
 * Without a container in the argument or the plan, returns the one that the annotation
 * kubectl.kubernetes.io/default-container names, else the first regular one. With `allContainers`, returns every one of
 * every kind. isInState filters by state.
 */
export function chooseContainers(
  pod: PodFacts,
  container: Glob | undefined,
  plan: SourcePlan,
): readonly ContainerFacts[] {
  const left = pod.containers.filter((each) => isLeft(plan, each));
  if (container !== undefined) return left.filter(({ name }) => globMatches(container, name));
  if (plan.allContainers || plan.containers !== undefined) return left;
  const chosen =
    left.find(({ name }) => name === pod.defaultContainer) ?? left.find(({ kind }) => kind === 'regular');
  return chosen === undefined ? [] : [chosen];
}

function isLeft(
  { containers, excludeContainers, excludeKinds }: SourcePlan,
  container: ContainerFacts,
): boolean {
  if (containers !== undefined && !matchesAny(containers, container.name)) return false;
  if (excludeContainers !== undefined && matchesAny(excludeContainers, container.name)) return false;
  return excludeKinds?.includes(container.kind) !== true;
}

/** Returns whether the name matches one of the globs. */
export function matchesAny(globs: readonly string[], name: string): boolean {
  return globs.some((glob) => globMatches(makeGlob(glob), name));
}

/** Returns whether the container is in one of the states that the plan requests. */
export function isInState(
  { containerStates }: SourcePlan,
  { state }: Pick<ContainerFacts, 'state'>,
): boolean {
  return containerStates === undefined || containerStates.includes(state.kind);
}

/** Returns a function that reports which source arguments of a group, as typed, select a container of a pod. */
export function givenBy(
  { specs, given }: SourceGroup,
  pod: PodFacts,
  plan: SourcePlan,
): (target: ContainerTarget) => readonly string[] {
  const chosen = specs.map(({ container }) => chooseContainers(pod, container, plan));
  return ({ container }) =>
    chosen.flatMap((some, index) =>
      some.some(({ name }) => name === container) ? (given[index] ?? []) : [],
    );
}

/** Returns the containers of a pod that a group of arguments selects, and for each argument whether it selects any. */
export function chooseTargets(
  { specs }: SourceGroup,
  pod: PodFacts,
  placement: Placement,
  plan: SourcePlan,
): { readonly targets: readonly ContainerTarget[]; readonly found: readonly boolean[] } {
  const chosen = specs.map(({ container }) => chooseContainers(pod, container, plan));
  const isChosen = (container: ContainerFacts) => chosen.some((some) => some.includes(container));
  // A user who names a container, names all, or excludes one knows that others exist.
  const isByDefault =
    plan.containers === undefined && specs.every(({ container }) => container === undefined);
  const others = pod.containers.filter((container) => !isChosen(container) && isLeft(plan, container));
  const hidden = isByDefault ? others.map(({ name }) => name) : [];
  return {
    targets: pod.containers
      .filter(isChosen)
      .map((container) => makeTarget(pod, container, placement, hidden)),
    found: chosen.map(({ length }) => length > 0),
  };
}

/** Builds the engine's view of a container. */
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
    image: container.image,
    kind: container.kind,
    placement,
    state: container.state,
    restartCount: container.restartCount,
    lastContainerId: container.lastContainerId,
    lastEnd: container.lastEnd,
    lastStartedAt: container.lastStartedAt,
    mayRestart: container.mayRestart,
    podPhase: pod.phase,
    podCreatedAt: pod.createdAt,
    deleting: pod.deleting,
    workload: workloadOf(pod),
    podContainers: pod.containers.flatMap(({ name, kind }) => (kind === 'ephemeral' ? [] : name)),
    ...(hidden.length === 0 ? {} : { hidden }),
  };
}
