import type { Random } from '../generator/random.ts';
import type { Store, StoredObject } from '../store/store.ts';
import type { HistoryClock } from './history-clock.ts';
import { timeText } from './objects.ts';
import type { WorkQueue } from './work-queue.ts';

/** What every controller works with. */
export interface Cluster {
  readonly store: Store;
  readonly clock: HistoryClock;
  readonly queue: WorkQueue;
  /** Whether to simulate pauses of seconds, as real scheduling, pulling and starting have. */
  readonly realDelays: boolean;
  /** Returns how far the clock of a node is ahead, in ms. */
  skewMsOf(node: string): number;
  /**
   * `GROUP/VERSION` of each API whose server does not tell its resources at present; the API server keeps it. A
   * namespace may hold such resources, so its deletion waits.
   */
  readonly staleGroups: Set<string>;
  random(...path: readonly (string | number)[]): Random;
  /** Reports an error of the simulation itself. */
  report(error: unknown): void;
}

/** Creates an object with an identity derived from the seed; returns undefined if the name is taken. */
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

/** Counts objects with the same name: a pod recreated under its name (by a StatefulSet) is a new object. */
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
 * Deletes a pod as DELETE does: removes a finished pod, or one without a node, at once; any other gets a
 * deletionTimestamp and is removed when its containers have stopped.
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

/**
 * Deletes any object as DELETE does: one with finalizers gets a deletionTimestamp and is removed when they are gone.
 */
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
