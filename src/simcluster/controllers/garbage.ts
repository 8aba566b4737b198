import type { Store, StoredObject } from '../store.ts';
import { type Cluster, deletePod } from './cluster.ts';
import { dependentsOf } from './related.ts';

/** Resources whose objects have owners or are owned. Those of a scenario's own kinds come on top. */
const COLLECTED = [
  'pods',
  'replicasets.apps',
  'deployments.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
  'replicationcontrollers',
  'services',
  'endpoints',
  'endpointslices.discovery.k8s.io',
  'controllerrevisions.apps',
  'configmaps',
  'secrets',
];
/** Namespaced objects that go with their namespace. */
const IN_NAMESPACES = [
  ...COLLECTED,
  'events',
  'serviceaccounts',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
];

/**
 * Deletes what belonged to a deleted owner (kubernetes.io/docs/concepts/architecture/garbage-collection), follows the
 * finalizers `foregroundDeletion` and `orphan`, and empties namespaces that are on their way out.
 */
export function startGarbageCollector(cluster: Cluster, ownKinds: readonly string[]): void {
  const resources = [...COLLECTED, ...ownKinds];
  for (const resource of resources) {
    cluster.store.subscribe(resource, ({ type, object }) => {
      const { uid, finalizers = [], deletionTimestamp } = object.metadata;
      if (type === 'DELETED') cluster.queue.add(`gc/${uid}`, () => collect(cluster, resources, uid));
      else if (deletionTimestamp !== undefined && finalizers.length > 0) {
        cluster.queue.add(`gc-finalize/${uid}`, () => finalize(cluster, resources, resource, object));
      }
    });
  }
  cluster.store.subscribe('namespaces', ({ type, object }) => {
    if (type !== 'DELETED' && object.metadata.deletionTimestamp !== undefined) {
      cluster.queue.add(`gc-namespace/${object.metadata.name}`, () =>
        emptyNamespace(cluster, ownKinds, object),
      );
    }
  });
  cluster.store.subscribe('pods', ({ type, object }) => {
    const namespace = cluster.store.get('namespaces', undefined, object.metadata.namespace ?? '');
    if (type === 'DELETED' && namespace?.metadata.deletionTimestamp !== undefined) {
      cluster.queue.add(`gc-namespace/${namespace.metadata.name}`, () =>
        emptyNamespace(cluster, ownKinds, namespace),
      );
    }
  });
}

function dependents(store: Store, resources: readonly string[], ownerUid: string) {
  return resources.flatMap((resource) =>
    dependentsOf(store, resource, ownerUid).map((object) => ({ resource, object })),
  );
}

function collect(cluster: Cluster, resources: readonly string[], ownerUid: string): void {
  for (const { resource, object } of dependents(cluster.store, resources, ownerUid)) {
    const others = object.metadata.ownerReferences?.filter((ref) => ref.uid !== ownerUid) ?? [];
    if (others.length > 0) removeReference(cluster, resource, object, ownerUid);
    else if (resource === 'pods') deletePod(cluster, object);
    else cluster.store.remove(resource, object.metadata.namespace, object.metadata.name);
  }
}

function finalize(
  cluster: Cluster,
  resources: readonly string[],
  resource: string,
  object: StoredObject,
): void {
  const { namespace, name, uid } = object.metadata;
  const current = cluster.store.get(resource, namespace, name);
  if (current?.metadata.uid !== uid) return;
  const finalizers = current.metadata.finalizers ?? [];
  const orphan = finalizers.includes('orphan');
  if (!orphan && !finalizers.includes('foregroundDeletion')) return;
  if (orphan) {
    for (const dependent of dependents(cluster.store, resources, uid)) {
      removeReference(cluster, dependent.resource, dependent.object, uid);
    }
  } else {
    collect(cluster, resources, uid);
    if (dependents(cluster.store, resources, uid).length > 0) {
      cluster.clock.after(200, () => finalize(cluster, resources, resource, object));
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

function emptyNamespace(cluster: Cluster, ownKinds: readonly string[], namespace: StoredObject): void {
  const { name } = namespace.metadata;
  for (const resource of [...IN_NAMESPACES.filter((r) => r !== 'pods'), ...ownKinds]) {
    for (const object of cluster.store.list(resource, name))
      cluster.store.remove(resource, name, object.metadata.name);
  }
  const pods = cluster.store.list('pods', name);
  for (const pod of pods) deletePod(cluster, pod);
  if (cluster.store.list('pods', name).length === 0) cluster.store.remove('namespaces', undefined, name);
}
