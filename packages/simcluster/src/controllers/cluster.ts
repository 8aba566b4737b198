import type { Random } from '../generator/random.ts';
import type { Store, StoredObject } from '../store/store.ts';
import type { HistoryClock } from './history-clock.ts';
import { timeText } from './objects.ts';
import type { WorkQueue } from './work-queue.ts';

/** What every controller gets. */
export interface Cluster {
  readonly store: Store;
  readonly clock: HistoryClock;
  readonly queue: WorkQueue;
  /** Seconds-long pauses of the real thing (scheduling, pulling, starting) are left out when false. */
  readonly realDelays: boolean;
  random(...path: readonly (string | number)[]): Random;
  /** Something in the simulation itself went wrong. */
  report(error: unknown): void;
}

/** Creates an object with an identity that follows from the seed; undefined when the name is taken. */
export function createObject(
  cluster: Cluster,
  resource: string,
  object: {
    metadata: { name: string; namespace?: string; [field: string]: unknown };
    [field: string]: unknown;
  },
): StoredObject | undefined {
  const { name, namespace } = object.metadata;
  if (cluster.store.get(resource, namespace, name) !== undefined) return undefined;
  const random = cluster.random(
    'uid',
    resource,
    namespace ?? '',
    name,
    timesCreated(cluster, resource, namespace, name),
  );
  return cluster.store.create(resource, {
    ...object,
    metadata: { ...object.metadata, uid: random.uuid(), creationTimestamp: timeText(cluster.clock.now()) },
  });
}

const created = new WeakMap<Cluster, Map<string, number>>();

/** A pod that comes again under the same name (a StatefulSet's) is another object. */
function timesCreated(
  cluster: Cluster,
  resource: string,
  namespace: string | undefined,
  name: string,
): number {
  let counts = created.get(cluster);
  if (counts === undefined) {
    counts = new Map();
    created.set(cluster, counts);
  }
  const key = `${resource}/${namespace ?? ''}/${name}`;
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

/**
 * Asks for the deletion of a pod, as DELETE does: a pod that is finished or without a node goes at once, the others get a
 * deletionTimestamp and go when their containers have stopped.
 */
export function deletePod(cluster: Cluster, pod: StoredObject, gracePeriodSeconds?: number): void {
  const { namespace, name } = pod.metadata;
  const spec = pod.spec as { nodeName?: string; terminationGracePeriodSeconds?: number };
  const phase = pod.status?.phase;
  const isFinished = phase === 'Succeeded' || phase === 'Failed';
  const grace = isFinished ? 0 : (gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30);
  if (spec.nodeName === undefined || grace === 0) {
    cluster.store.remove('pods', namespace, name);
    return;
  }
  if (pod.metadata.deletionTimestamp !== undefined) return;
  cluster.store.update('pods', namespace, name, (object) => {
    object.metadata.deletionTimestamp = timeText(cluster.clock.now() + grace * 1000);
    object.metadata.deletionGracePeriodSeconds = grace;
    object.metadata.generation = (object.metadata.generation ?? 1) + 1;
    return undefined;
  });
}

/** Asks for the deletion of any object: what finalizers hold gets a deletionTimestamp and goes when they are gone. */
export function deleteObject(cluster: Cluster, resource: string, object: StoredObject): void {
  const { namespace, name, finalizers = [], deletionTimestamp } = object.metadata;
  if (resource === 'pods') deletePod(cluster, object);
  else if (finalizers.length === 0) cluster.store.remove(resource, namespace, name);
  else if (deletionTimestamp === undefined) {
    cluster.store.update(resource, namespace, name, (changed) => {
      changed.metadata.deletionTimestamp = timeText(cluster.clock.now());
      changed.metadata.deletionGracePeriodSeconds = 0;
      return undefined;
    });
  }
}
