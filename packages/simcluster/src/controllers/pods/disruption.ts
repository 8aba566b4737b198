import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { type Condition, podStatus, timeText } from '../objects.ts';

/** Why a pod is removed (kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions). */
export type DisruptionReason =
  | 'PreemptionByScheduler'
  | 'DeletionByTaintManager'
  | 'EvictionByEvictionAPI'
  | 'TerminationByKubelet';

/** Returns the status of a pod with a condition that contains the reason of its removal and when that began. */
export function withDisruption(
  pod: StoredObject,
  reason: DisruptionReason,
  message: string,
  nowMs: number,
): NonNullable<StoredObject['status']> {
  const status = podStatus(pod);
  const condition: Condition = {
    type: 'DisruptionTarget',
    observedGeneration: pod.metadata.generation ?? 1,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timeText(nowMs),
    reason,
    message,
  };
  const others = (status.conditions ?? []).filter(({ type }) => type !== condition.type);
  return { ...status, conditions: [condition, ...others] };
}

/** Writes that condition to a pod in the store. */
export function setDisruption(
  cluster: Cluster,
  { metadata }: StoredObject,
  reason: DisruptionReason,
  message: string,
): void {
  cluster.store.update('pods', metadata.namespace, metadata.name, (object) => {
    if (object.metadata.uid !== metadata.uid) return false;
    object.status = withDisruption(object, reason, message, cluster.clock.now());
    return undefined;
  });
}
