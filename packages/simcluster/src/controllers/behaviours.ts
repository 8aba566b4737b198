import type { ScenarioContainer } from '../scenario/container-schema.ts';
import type { Store, StoredObject } from '../store.ts';
import { controllerOf, resourceOfKind } from './objects.ts';

/** What the containers of workloads do, by the workload that owns a pod and by image. */
export interface Behaviours {
  /** `kind` and `name` of the topmost owner, or Pod and its own name. The latest set comes first. */
  set(namespace: string, kind: string, name: string, containers: readonly ScenarioContainer[]): void;
  of(pod: StoredObject, container: string, image: string): ScenarioContainer | undefined;
}

export function createBehaviours(store: Store): Behaviours {
  const byOwner = new Map<string, ScenarioContainer[]>();
  return {
    set(namespace, kind, name, containers) {
      const key = `${namespace}/${kind}/${name}`;
      byOwner.set(key, [...containers, ...(byOwner.get(key) ?? [])]);
    },
    of(pod, container, image) {
      for (const owner of ownersOf(store, pod)) {
        const all = byOwner
          .get(`${pod.metadata.namespace ?? ''}/${owner}`)
          ?.filter((c) => c.name === container);
        const found = all?.find((c) => c.image === image) ?? all?.[0];
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/** `Kind/name` of the pod and of each controller above it. */
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
