import { sameJson } from '../json-value.ts';
import type { StoredObject } from '../store.ts';
import type { Cluster } from './cluster.ts';
import { controllerOf } from './objects.ts';
import { selects } from './selects.ts';

export interface Reconciling {
  readonly resource: string;
  readonly kind: string;
  /** The resources of what it controls. */
  readonly children: readonly string[];
  /** Whether it takes in what nobody controls and its selector chooses: see claim.ts. */
  readonly claims?: boolean;
}

/** Runs `act` on an object whenever it or something that it controls or could claim changes, once for many changes. */
export function reconcileOn(
  cluster: Cluster,
  { resource, kind, children, claims = false }: Reconciling,
  act: (object: StoredObject) => void,
): void {
  const { store, queue } = cluster;
  const enqueue = (namespace: string | undefined, name: string) => {
    queue.add(`${resource}/${namespace ?? ''}/${name}`, () => {
      const object = store.get(resource, namespace, name);
      if (object !== undefined && object.metadata.deletionTimestamp === undefined) act(object);
    });
  };
  const enqueueController = (child: StoredObject): boolean => {
    const owner = controllerOf(child);
    if (owner?.kind === kind) enqueue(child.metadata.namespace, owner.name);
    return owner !== undefined;
  };
  store.subscribe(resource, ({ type, object }) => {
    if (type !== 'DELETED') enqueue(object.metadata.namespace, object.metadata.name);
  });
  for (const child of children) {
    store.subscribe(child, ({ type, object, before }) => {
      const changedHands =
        before !== undefined && before.metadata.ownerReferences !== object.metadata.ownerReferences;
      if (changedHands) enqueueController(before);
      if (enqueueController(object) || !claims || type === 'DELETED') return;
      if (before !== undefined && !changedHands && before.metadata.labels === object.metadata.labels) return;
      for (const workload of store.list(resource, object.metadata.namespace)) {
        if (selects(workload, object)) enqueue(workload.metadata.namespace, workload.metadata.name);
      }
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
  const current = cluster.store.get(resource, object.metadata.namespace, object.metadata.name);
  if (current !== undefined) cluster.store.replace(resource, current, { status });
}
