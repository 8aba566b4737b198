import { shortPodNames } from '../../domain/speakers/speaker-names.ts';
import { compareNatural } from '../../messages/natural-order.ts';
import type { SourceCondition, ViewSource } from '../worker/protocol/protocol.ts';
import { withoutContainer } from './source-change.ts';

/** The containers of one source argument, or of one of the workloads it matches. */
export interface ContainerGroup {
  readonly key: string;
  /** The argument without its container, `shop:deployments/web`; empty if no argument is known. */
  readonly argument: string;
  readonly title: string;
  readonly containers: readonly ContainerFacet[];
  /** Names of other containers in the same pods that are not shown. */
  readonly others: readonly string[];
}

export interface ContainerFacet {
  /** LogSource.id; the facet's value. */
  readonly id: string;
  readonly label: string;
  /** `namespace/pod/container`. */
  readonly name: string;
  readonly hue: number;
  readonly restarts: number;
  readonly isNew: boolean;
  readonly isGone: boolean;
  readonly condition: SourceCondition;
  /** Newest first. */
  readonly runs: readonly RunFacet[];
}

/** One run of a container. */
export interface RunFacet {
  /** LogSource.order; the facet's value. */
  readonly order: string;
  /** `run 3 (now)` */
  readonly name: string;
}

/**
 * Groups containers by source argument; all runs of a container are one facet. A container that matches
 * several arguments is in the first one's group. Arguments that differ only in the container share a group.
 */
export function groupContainers(
  sources: readonly ViewSource[],
  args: readonly string[],
): readonly ContainerGroup[] {
  const byArgument = new Map<string, Map<string, ViewSource[]>>(
    args.map((argument) => [withoutContainer(argument), new Map()]),
  );
  const shown = new Set<string>();
  const isShown: IsShown = ({ namespace, pod }, container) => shown.has(`${namespace}/${pod}/${container}`);
  for (const source of sources) {
    if (source.isRemoved) continue;
    shown.add(`${source.namespace}/${source.pod}/${source.container}`);
    const given = args.find((each) => source.arguments.includes(each)) ?? source.arguments[0] ?? '';
    const argument = withoutContainer(given);
    const group = byArgument.get(argument) ?? new Map<string, ViewSource[]>();
    byArgument.set(argument, group);
    const runs = group.get(source.id) ?? [];
    group.set(source.id, runs);
    runs.push(source);
  }
  const groups = [...byArgument]
    .filter(([, containers]) => containers.size > 0)
    .flatMap(([argument, containers]) => splitByWorkload(argument, [...containers.values()], isShown));
  return groups.map((group) => titledApart(group, groups));
}

/** Puts the namespace before a title that a group of another namespace has too. */
function titledApart(group: ContainerGroup, all: readonly ContainerGroup[]): ContainerGroup {
  const namespace = namespaceOf(group);
  const isAlike = (other: ContainerGroup) => other.title === group.title && namespaceOf(other) !== namespace;
  return all.some(isAlike) ? { ...group, title: `${namespace}/${group.title}` } : group;
}

function namespaceOf({ containers }: ContainerGroup): string {
  return containers[0]?.name.split('/')[0] ?? '';
}

/**
 * Returns the containers of a group whose names contain a text, shown or not; all of them if the workload's name contains
 * it. `wanted`: in lower case.
 */
export function namedIn(
  { title, containers, others }: ContainerGroup,
  wanted: string,
): Pick<ContainerGroup, 'containers' | 'others'> {
  if (title.toLowerCase().includes(wanted)) return { containers, others };
  return {
    containers: containers.filter(({ name }) => name.toLowerCase().includes(wanted)),
    others: others.filter((name) => name.toLowerCase().includes(wanted)),
  };
}

/** Whether the view includes a container of the same pod as `source`. */
type IsShown = (source: ViewSource, container: string) => boolean;

/** Returns the names of containers of the same pods that the view does not include. */
function othersOf(containers: readonly (readonly ViewSource[])[], isShown: IsShown): readonly string[] {
  const others = new Set<string>();
  for (const runs of containers) {
    const last = latestOf(runs);
    if (last === undefined || last.isGone) continue;
    for (const name of last.podContainers ?? []) if (!isShown(last, name)) others.add(name);
  }
  return [...others].sort(compareNatural);
}

/** Returns the run with the most restarts; runs come in any order. */
function latestOf(runs: readonly ViewSource[]): ViewSource | undefined {
  return newestFirst(runs)[0];
}

function newestFirst(runs: readonly ViewSource[]): readonly ViewSource[] {
  return runs.toSorted((a, b) => b.restarts - a.restarts);
}

/** Returns one group per workload if an argument matches several. */
function splitByWorkload(
  argument: string,
  containers: readonly (readonly ViewSource[])[],
  isShown: IsShown,
): readonly ContainerGroup[] {
  const byWorkload = new Map<string, (readonly ViewSource[])[]>();
  for (const runs of containers) {
    const key = workloadKey(runs[0]);
    byWorkload.set(key, [...(byWorkload.get(key) ?? []), runs]);
  }
  if (byWorkload.size < 2) {
    // The name of a pattern names no workload.
    const title = titleOf(argument);
    const name = title.includes('*') ? containers[0]?.[0]?.workload?.name : undefined;
    return [makeGroup(argument, name ?? title, containers, isShown)];
  }
  return [...byWorkload]
    .map(([key, own]) => {
      const group = makeGroup(argument, own[0]?.[0]?.workload?.name ?? titleOf(argument), own, isShown);
      return { ...group, key: `${argument} ${key}` };
    })
    .sort((a, b) => compareNatural(a.title, b.title) || compareNatural(a.key, b.key));
}

/** Standalone pods share one key. */
function workloadKey(source: ViewSource | undefined): string {
  const { workload, namespace } = source ?? {};
  return workload === undefined ? '' : [namespace, workload.ownerKind, workload.name].join('/');
}

function makeGroup(
  argument: string,
  title: string,
  containers: readonly (readonly ViewSource[])[],
  isShown: IsShown,
): ContainerGroup {
  const labels = shortPodNames(
    containers.map((runs) => runs[0]?.pod ?? ''),
    containers[0]?.[0]?.workload?.name ?? title,
  );
  return {
    key: argument,
    argument,
    title,
    others: othersOf(containers, isShown),
    containers: containers
      .flatMap((runs) => {
        const last = latestOf(runs);
        if (last === undefined) return [];
        return {
          id: last.id,
          label: `${labels.get(last.pod) ?? last.pod}/${last.container}`,
          name: `${last.namespace}/${last.pod}/${last.container}`,
          hue: last.hue,
          restarts: last.state.restarts,
          isNew: last.isNew,
          isGone: last.isGone,
          condition: last.condition,
          runs: runsOf(runs),
        };
      })
      .sort((a, b) => Number(a.isGone) - Number(b.isGone) || compareNatural(a.name, b.name)),
  };
}

/** Returns `web` for `shop:deployments/web`, and `pods` for `shop:pods`. */
function titleOf(argument: string): string {
  const path = argument.slice(argument.indexOf(':') + 1).split('/');
  return path.slice(1).join('/') || path[0] || 'Containers';
}

/** Numbers runs from 1: after two restarts a container is in its third run. */
function runsOf(runs: readonly ViewSource[]): readonly RunFacet[] {
  return newestFirst(runs).map((run) => ({
    order: run.order,
    name: `run ${run.restarts + 1}${isRunningNow(run) ? ' (now)' : ''}`,
  }));
}

function isRunningNow({ restarts, state, isGone }: ViewSource): boolean {
  return state.kind === 'running' && restarts === state.restarts && !isGone;
}
