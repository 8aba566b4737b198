import { sameJson } from '../json-value.ts';
import type { StoredObject } from '../store.ts';
import type { Cluster } from './cluster.ts';
import { ownedByController } from './controller-owner.ts';
import { controllerOf, timeText } from './objects.ts';
import { selects } from './selects.ts';

export interface Reconciling {
  readonly resource: string;
  readonly kind: string;
  /** The resources of what it controls. */
  readonly children: readonly string[];
  /** Whether it takes in what nobody controls and its selector chooses: see claim.ts. */
  readonly claims?: boolean;
}

/**
 * Runs `act` on an object whenever it or something that it controls or could claim changes, once for many changes.
 * `mayClaim` is false when nothing changed hands or labels since, so that there is nothing to take in or let go.
 */
export function reconcileOn(
  cluster: Cluster,
  { resource, kind, children, claims = false }: Reconciling,
  act: (object: StoredObject, mayClaim: boolean) => void,
): void {
  const { store, queue } = cluster;
  const toClaim = new Set<string>();
  const enqueue = (namespace: string | undefined, name: string, mayClaim: boolean) => {
    const key = `${resource}/${namespace ?? ''}/${name}`;
    if (claims && mayClaim) toClaim.add(key);
    queue.add(key, () => {
      const object = store.get(resource, namespace, name);
      const claimsNow = toClaim.delete(key);
      if (object !== undefined && object.metadata.deletionTimestamp === undefined) act(object, claimsNow);
    });
  };
  const enqueueController = (child: StoredObject, mayClaim: boolean): boolean => {
    const owner = controllerOf(child);
    if (owner?.kind === kind) enqueue(child.metadata.namespace, owner.name, mayClaim);
    return owner !== undefined;
  };
  store.subscribe(resource, ({ type, object, before }) => {
    const { namespace, name } = object.metadata;
    if (type !== 'DELETED') enqueue(namespace, name, before?.spec !== object.spec);
  });
  for (const child of children) {
    store.subscribe(child, ({ type, object, before }) => {
      const { namespace, ownerReferences, labels } = object.metadata;
      const changedHands = before !== undefined && before.metadata.ownerReferences !== ownerReferences;
      const mayClaim = changedHands || before?.metadata.labels !== labels;
      if (changedHands) enqueueController(before, true);
      if (enqueueController(object, mayClaim) || !mayClaim || !claims || type === 'DELETED') return;
      for (const workload of store.list(resource, namespace)) {
        if (selects(workload, object)) enqueue(namespace, workload.metadata.name, true);
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
  if (current === undefined) return;
  const time = timeText(cluster.clock.now());
  const metadata = ownedByController(current, { ...current, status }, time);
  cluster.store.replace(resource, current, { status, metadata });
}
