import { load } from 'js-yaml';
import {
  type ContainerBehavior,
  containerBehavior,
  type ScenarioContainer,
} from '../../scenario/container-schema.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import { type ContainerSpec, controllerOf, resourceOfKind } from '../objects.ts';

/**
 * The environment variable that describes what a container does, as YAML or JSON with the keys of a scenario's
 * container: `lines`, `logs`, `exit`, `runs`, `stop` and `state`.
 */
export const BEHAVIOR_VARIABLE = 'SIMCLUSTER_BEHAVIOR';

/**
 * The behavior of containers: from the scenario, by the workload that owns the pod and by image; else from the
 * container's own environment.
 */
export interface Behaviors {
  /**
   * Sets behaviors by `kind` and `name` of the topmost owner, or by Pod and the pod's own name. Later calls take
   * precedence.
   */
  set(namespace: string, kind: string, name: string, containers: readonly ScenarioContainer[]): void;
  of(pod: StoredObject, container: ContainerSpec): ContainerBehavior | undefined;
  /** Returns why the description in a container's environment is invalid; undefined if it is valid or absent. */
  problemOf(container: ContainerSpec): string | undefined;
}

export function createBehaviors(store: Store): Behaviors {
  const byOwner = new Map<string, ScenarioContainer[]>();
  const ofScenario = (pod: StoredObject, { name, image }: ContainerSpec) => {
    for (const owner of ownersOf(store, pod)) {
      const all = byOwner.get(`${pod.metadata.namespace ?? ''}/${owner}`)?.filter((c) => c.name === name);
      const found = all?.find((c) => c.image === image) ?? all?.[0];
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    set(namespace, kind, name, containers) {
      const key = `${namespace}/${kind}/${name}`;
      byOwner.set(key, [...containers, ...(byOwner.get(key) ?? [])]);
    },

    of(pod, container) {
      const known = ofScenario(pod, container);
      if (known !== undefined) return known;
      const read = readEnvironment(container);
      return read?.kind === 'behavior' ? read.behavior : undefined;
    },

    problemOf(container) {
      const read = readEnvironment(container);
      return read?.kind === 'problem' ? read.problem : undefined;
    },
  };
}

type EnvironmentRead =
  | { readonly kind: 'behavior'; readonly behavior: ContainerBehavior }
  | { readonly kind: 'problem'; readonly problem: string };

function readEnvironment({ env }: ContainerSpec): EnvironmentRead | undefined {
  const text = env?.find(({ name }) => name === BEHAVIOR_VARIABLE)?.value;
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = load(text);
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error));
  }
  const checked = containerBehavior.safeParse(value);
  if (checked.success) return { kind: 'behavior', behavior: checked.data };
  const [issue] = checked.error.issues;
  return problem(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

function problem(why: string): EnvironmentRead {
  return { kind: 'problem', problem: `${BEHAVIOR_VARIABLE} is not valid: ${why}` };
}

/** Returns `Kind/name` of the pod and of each controller above it. */
function ownersOf(store: Store, pod: StoredObject): readonly string[] {
  const owners = [`Pod/${pod.metadata.name}`];
  let object: StoredObject | undefined = pod;
  for (let depth = 0; object !== undefined && depth < 8; depth++) {
    const ref = controllerOf(object);
    if (ref === undefined) break;
    owners.push(`${ref.kind}/${ref.name}`);
    const resource = resourceOfKind(ref.kind);
    object = resource === undefined ? undefined : store.get(resource, pod.metadata.namespace, ref.name);
  }
  return owners;
}
