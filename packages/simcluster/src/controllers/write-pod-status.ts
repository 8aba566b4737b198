import { sameJson } from '../json-value.ts';
import type { StoredObject } from '../store.ts';
import type { Cluster } from './cluster.ts';
import { podSpec, podStatus } from './objects.ts';
import { type PodView, podStatusOf } from './pod-status.ts';

/** What the worker of a pod knows; the rest of a PodView is read from the store. */
export type KnownOfPod = Omit<PodView, 'spec' | 'generation' | 'nowMs' | 'before'>;

/** Writes the status of a pod, when it differs and the pod is still the same one. */
export function writePodStatus(cluster: Cluster, pod: StoredObject, known: KnownOfPod): void {
  const { namespace, name, uid } = pod.metadata;
  const object = cluster.store.get('pods', namespace, name);
  if (object === undefined || object.metadata.uid !== uid) return;
  const before = podStatus(object);
  const status = podStatusOf({
    ...known,
    spec: podSpec(object),
    generation: object.metadata.generation ?? 1,
    nowMs: cluster.clock.now(),
    before,
  });
  if (!sameJson(before, status)) cluster.store.replace('pods', object, { status });
}
