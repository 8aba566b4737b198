import { type Cluster, deleteObject } from '../cluster.ts';
import { timeText } from '../objects.ts';

const FINALIZER = 'kubernetes';

/**
 * Empties namespaces that are being deleted, and removes them once they are empty: a stopping pod, or an
 * object with a finalizer, keeps its namespace
 * (kubernetes.io/docs/concepts/overview/working-with-objects/namespaces).
 */
export function startNamespaces(cluster: Cluster): void {
  const { store, queue } = cluster;
  const enqueue = (name: string) => queue.add(`namespace/${name}`, () => empty(cluster, name));
  store.subscribe('namespaces', ({ type, object, before }) => {
    const leaving = object.metadata.deletionTimestamp !== undefined;
    if (type !== 'DELETED' && leaving && before?.metadata.deletionTimestamp === undefined) {
      enqueue(object.metadata.name);
    }
  });
  store.subscribeAll((_resource, { type, object }) => {
    const { namespace } = object.metadata;
    if (type !== 'DELETED' || namespace === undefined) return;
    const namespaceObject = store.get('namespaces', undefined, namespace);
    if (namespaceObject?.metadata.deletionTimestamp !== undefined) enqueue(namespace);
  });
}

function empty(cluster: Cluster, name: string): void {
  const { store } = cluster;
  const namespace = store.get('namespaces', undefined, name);
  if (namespace?.metadata.deletionTimestamp === undefined) return;
  let left: string[] = [];
  for (const resource of store.resources()) {
    for (const object of store.list(resource, name)) deleteObject(cluster, resource, object);
    const kept = store.list(resource, name).length;
    if (kept > 0) left = [...left, `${resource} has ${kept} resource instances`];
  }
  if (left.length > 0) {
    report(cluster, name, left);
    return;
  }
  const others = namespace.spec?.finalizers as readonly string[] | undefined;
  if (others?.some((finalizer) => finalizer !== FINALIZER) === true) return;
  if ((namespace.metadata.finalizers ?? []).length > 0) return;
  store.remove('namespaces', undefined, name);
}

/** Reports what remains in a namespace, as the namespace controller does. */
function report(cluster: Cluster, name: string, left: readonly string[]): void {
  const message = `Some resources are remaining: ${left.join(', ')}`;
  cluster.store.update('namespaces', undefined, name, (changed) => {
    const before = changed.status?.conditions as readonly { type: string; message: string }[] | undefined;
    if (before?.some((condition) => condition.message === message) === true) return false;
    const condition = {
      type: 'NamespaceContentRemaining',
      status: 'True',
      lastTransitionTime: timeText(cluster.clock.now()),
      reason: 'SomeResourcesRemain',
      message,
    };
    changed.status = { ...changed.status, phase: 'Terminating', conditions: [condition] };
    return undefined;
  });
}
