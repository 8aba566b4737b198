import { compareNatural } from '../../messages/natural-order.ts';
import type { SourceCondition, ViewSource } from '../worker/session/protocol.ts';

/** The containers of one source argument. */
export interface ContainerGroup {
  /** The argument, `shop:deployments/web`; empty: no argument is known. */
  readonly argument: string;
  readonly title: string;
  readonly containers: readonly ContainerFacet[];
}

export interface ContainerFacet {
  /** LogSource.id: the value of the facet. */
  readonly id: string;
  readonly label: string;
  /** `namespace/pod/container`. */
  readonly name: string;
  readonly hue: number;
  readonly restarts: number;
  readonly isNew: boolean;
  readonly isGone: boolean;
  /** Of its last run. */
  readonly condition: SourceCondition;
}

/** Runs of a container are one facet. A container that several arguments mean is in the first one's group. */
export function groupContainers(
  sources: readonly ViewSource[],
  args: readonly string[],
): readonly ContainerGroup[] {
  const byArgument = new Map<string, Map<string, ViewSource[]>>(
    args.map((argument) => [argument, new Map()]),
  );
  for (const source of sources) {
    if (source.isRemoved) continue;
    const argument = args.find((each) => source.arguments.includes(each)) ?? source.arguments[0] ?? '';
    const group = byArgument.get(argument) ?? new Map<string, ViewSource[]>();
    byArgument.set(argument, group);
    const runs = group.get(source.id) ?? [];
    group.set(source.id, runs);
    runs.push(source);
  }
  return [...byArgument]
    .filter(([, containers]) => containers.size > 0)
    .map(([argument, containers]) => makeGroup(argument, [...containers.values()]));
}

function makeGroup(argument: string, containers: readonly (readonly ViewSource[])[]): ContainerGroup {
  const labels = podLabels(containers.map((runs) => runs[0]?.pod ?? ''));
  return {
    argument,
    title: titleOf(argument),
    containers: containers
      .flatMap((runs) => {
        const last = runs.at(-1);
        if (last === undefined) return [];
        return {
          id: last.id,
          label: `${labels.get(last.pod) ?? last.pod}/${last.container}`,
          name: `${last.namespace}/${last.pod}/${last.container}`,
          hue: last.hue % 12,
          restarts: Math.max(...runs.map(({ restarts }) => restarts)),
          isNew: last.isNew,
          isGone: runs.every(({ isGone }) => isGone),
          condition: last.condition,
        };
      })
      .sort((a, b) => Number(a.isGone) - Number(b.isGone) || compareNatural(a.name, b.name)),
  };
}

/** `shop:deployments/web` is called web, `shop:pods` pods. */
function titleOf(argument: string): string {
  const path = argument.slice(argument.indexOf(':') + 1).split('/');
  return path.slice(1).join('/') || path[0] || 'Containers';
}

/** What the API server puts after a generated name: five signs (apimachinery, names.SimpleNameGenerator). */
const GENERATED = /^(.+)-([a-z0-9]{5})$/;

/** `web-6b54d-4tmnr` is `…4tmnr` as long as that distinguishes the pods of the group. */
export function podLabels(pods: readonly string[]): ReadonlyMap<string, string> {
  const names = [...new Set(pods)];
  const endings = names.map((pod) => GENERATED.exec(pod)?.[2]);
  const count = new Map<string, number>();
  for (const ending of endings) if (ending !== undefined) count.set(ending, (count.get(ending) ?? 0) + 1);
  return new Map(
    names.map((pod, index) => {
      const ending = endings[index];
      return [pod, ending !== undefined && count.get(ending) === 1 ? `…${ending}` : pod];
    }),
  );
}
