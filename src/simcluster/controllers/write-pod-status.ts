import type { StoredObject } from '../store.ts';
import type { Cluster } from './cluster.ts';
import { podSpec, podStatus, sameJson } from './objects.ts';
import { type PodView, podStatusOf } from './pod-status.ts';

/** What the worker of a pod knows; the rest of a PodView is read from the store. */
export type KnownOfPod = Omit<PodView, 'spec' | 'generation' | 'nowMs' | 'before'>;

/** Writes the status of a pod, when it differs and the pod is still the same one. */
export function writePodStatus(cluster: Cluster, pod: StoredObject, known: KnownOfPod): void {
  const { namespace, name, uid } = pod.metadata;
  cluster.store.update('pods', namespace, name, (object) => {
    if (object.metadata.uid !== uid) return false;
    const before = podStatus(object);
    const generation = object.metadata.generation ?? 1;
    const status = podStatusOf({
      ...known,
      spec: podSpec(object),
      generation,
      nowMs: cluster.clock.now(),
      before,
    });
    if (sameJson(before, status)) return false;
    object.status = status;
    return undefined;
  });
}
