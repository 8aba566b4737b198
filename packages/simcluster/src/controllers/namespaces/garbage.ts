import type { Store, StoredObject } from '../../store/store.ts';
import { type Cluster, deleteObject } from '../cluster.ts';
import { dependentsOf } from '../related.ts';

/** These resources change often, and their objects have no owners. */
const NEVER_OWNED = ['events', 'leases.coordination.k8s.io', 'nodes'];

/**
 * Deletes the dependents of a deleted owner (kubernetes.io/docs/concepts/architecture/garbage-collection), and handles
 * the finalizers `foregroundDeletion` and `orphan`.
 */
export function startGarbageCollector(cluster: Cluster): void {
  cluster.store.subscribeAll((resource, { type, object }) => {
    if (NEVER_OWNED.includes(resource)) return;
    const { uid, finalizers = [], deletionTimestamp } = object.metadata;
    if (type === 'DELETED') cluster.queue.add(`gc/${uid}`, () => collect(cluster, uid));
    else if (deletionTimestamp !== undefined && finalizers.length > 0) {
      cluster.queue.add(`gc-finalize/${uid}`, () => finalize(cluster, resource, object));
    }
  });
}

function dependents(store: Store, ownerUid: string) {
  const resources = store.resources().filter((resource) => !NEVER_OWNED.includes(resource));
  return resources.flatMap((resource) =>
    dependentsOf(store, resource, ownerUid).map((object) => ({ resource, object })),
  );
}

function collect(cluster: Cluster, ownerUid: string): void {
  for (const { resource, object } of dependents(cluster.store, ownerUid)) {
    const others = object.metadata.ownerReferences?.filter((ref) => ref.uid !== ownerUid) ?? [];
    if (others.length > 0) removeReference(cluster, resource, object, ownerUid);
    else deleteObject(cluster, resource, object);
  }
}

function finalize(cluster: Cluster, resource: string, object: StoredObject): void {
  const { namespace, name, uid } = object.metadata;
  const current = cluster.store.get(resource, namespace, name);
  if (current?.metadata.uid !== uid) return;
  const finalizers = current.metadata.finalizers ?? [];
  const orphan = finalizers.includes('orphan');
  if (!orphan && !finalizers.includes('foregroundDeletion')) return;
  if (orphan) {
    for (const dependent of dependents(cluster.store, uid)) {
      removeReference(cluster, dependent.resource, dependent.object, uid);
    }
  } else {
    collect(cluster, uid);
    if (dependents(cluster.store, uid).length > 0) {
      cluster.clock.after(200, () => finalize(cluster, resource, object));
      return;
    }
  }
  const left = finalizers.filter((f) => f !== 'orphan' && f !== 'foregroundDeletion');
  cluster.store.update(resource, namespace, name, (changed) => {
    changed.metadata.finalizers = left;
    return undefined;
  });
  if (left.length === 0 && resource !== 'pods') cluster.store.remove(resource, namespace, name);
}

function removeReference(cluster: Cluster, resource: string, object: StoredObject, ownerUid: string): void {
  cluster.store.update(resource, object.metadata.namespace, object.metadata.name, (changed) => {
    changed.metadata.ownerReferences =
      changed.metadata.ownerReferences?.filter((ref) => ref.uid !== ownerUid) ?? [];
    return undefined;
  });
}
