import type { StoredObject } from '../store.ts';
import type { Cluster } from './cluster.ts';
import { controllerOf, sameJson } from './objects.ts';

/**
 * Runs `act` on an object of a resource whenever it or something that it controls (in `children`) changes, once for
 * many changes.
 */
export function reconcileOn(
  cluster: Cluster,
  resource: string,
  kind: string,
  children: readonly string[],
  act: (object: StoredObject) => void,
): void {
  const enqueue = (namespace: string | undefined, name: string) => {
    cluster.queue.add(`${resource}/${namespace ?? ''}/${name}`, () => {
      const object = cluster.store.get(resource, namespace, name);
      if (object !== undefined && object.metadata.deletionTimestamp === undefined) act(object);
    });
  };
  cluster.store.subscribe(resource, ({ type, object }) => {
    if (type !== 'DELETED') enqueue(object.metadata.namespace, object.metadata.name);
  });
  for (const child of children) {
    cluster.store.subscribe(child, ({ object }) => {
      const owner = controllerOf(object);
      if (owner?.kind === kind) enqueue(object.metadata.namespace, owner.name);
    });
  }
}

/** Writes a status, when it differs. */
export function writeStatus(
  cluster: Cluster,
  resource: string,
  object: StoredObject,
  status: Record<string, unknown>,
): void {
  if (sameJson(object.status, status)) return;
  cluster.store.update(resource, object.metadata.namespace, object.metadata.name, (current) => {
    current.status = status;
    return undefined;
  });
}
