import { sameJson } from '../../json-value.ts';
import { type Cluster, deleteObject } from '../cluster.ts';
import { timeText } from '../objects.ts';

const FINALIZER = 'kubernetes';
const RETRY_MS = 5000;

/**
 * Empties namespaces that are being deleted, and removes them once they are empty: a stopping pod, or an
 * object with a finalizer, keeps its namespace
 * (kubernetes.io/docs/concepts/overview/working-with-objects/namespaces).
 */
export function startNamespaces(cluster: Cluster): void {
  const { store, queue, clock } = cluster;
  const waiting = new Set<string>();
  const enqueue = (name: string) => queue.add(`namespace/${name}`, () => empty(cluster, name, retryLater));
  /** No event tells when the resources of another server are known again. */
  const retryLater = (name: string) => {
    if (waiting.has(name)) return;
    waiting.add(name);
    clock.after(RETRY_MS, () => {
      waiting.delete(name);
      enqueue(name);
    });
  };
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

function empty(cluster: Cluster, name: string, retryLater: (name: string) => void): void {
  const { store, staleGroups } = cluster;
  const namespace = store.get('namespaces', undefined, name);
  if (namespace?.metadata.deletionTimestamp === undefined) return;
  let left: string[] = [];
  for (const resource of store.resources()) {
    for (const object of store.list(resource, name)) deleteObject(cluster, resource, object);
    const kept = store.list(resource, name).length;
    if (kept > 0) left = [...left, `${resource} has ${kept} resource instances`];
  }
  if (staleGroups.size > 0) {
    report(cluster, name, undiscoveredConditions([...staleGroups], left));
    retryLater(name);
    return;
  }
  if (left.length > 0) {
    report(cluster, name, [remaining(left)]);
    return;
  }
  const others = namespace.spec?.finalizers as readonly string[] | undefined;
  if (others?.some((finalizer) => finalizer !== FINALIZER) === true) return;
  if ((namespace.metadata.finalizers ?? []).length > 0) return;
  store.remove('namespaces', undefined, name);
}

interface NamespaceCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

function remaining(left: readonly string[]): NamespaceCondition {
  return {
    type: 'NamespaceContentRemaining',
    status: 'True',
    reason: 'SomeResourcesRemain',
    message: `Some resources are remaining: ${left.join(', ')}`,
  };
}

/**
 * Returns the conditions of a namespace that waits for discovery (kubernetes: pkg/controller/namespace/deletion,
 * status_condition_utils.go).
 */
function undiscoveredConditions(
  staleGroups: readonly string[],
  left: readonly string[],
): readonly NamespaceCondition[] {
  const failures = staleGroups
    .toSorted()
    .map((group) => `${group}: stale GroupVersion discovery: ${group}`)
    .join(', ');
  const passed = (type: string, reason: string, message: string) =>
    ({ type, status: 'False', reason, message }) as const;
  return [
    {
      type: 'NamespaceDeletionDiscoveryFailure',
      status: 'True',
      reason: 'DiscoveryFailed',
      message: `Discovery failed for some groups, ${staleGroups.length} failing: unable to retrieve the complete list of server APIs: ${failures}`,
    },
    passed(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    passed(
      'NamespaceDeletionContentFailure',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    left.length > 0
      ? remaining(left)
      : passed('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'),
    passed(
      'NamespaceFinalizersRemaining',
      'ContentHasNoFinalizers',
      'All content-preserving finalizers finished',
    ),
  ];
}

/** Reports why a namespace remains, as the namespace controller does. */
function report(cluster: Cluster, name: string, conditions: readonly NamespaceCondition[]): void {
  const now = timeText(cluster.clock.now());
  cluster.store.update('namespaces', undefined, name, (changed) => {
    const before = (changed.status?.conditions ?? []) as readonly (NamespaceCondition & {
      readonly lastTransitionTime: string;
    })[];
    const known = (type: string) => before.find((condition) => condition.type === type);
    const next = conditions.map((condition) => {
      const earlier = known(condition.type);
      const lastTransitionTime = earlier?.status === condition.status ? earlier.lastTransitionTime : now;
      const { type, status, ...why } = condition;
      return { type, status, lastTransitionTime, ...why };
    });
    if (sameJson(before, next)) return false;
    changed.status = { ...changed.status, phase: 'Terminating', conditions: next };
    return undefined;
  });
}
