import type { StoredObject } from '../../store/store.ts';
import { type Cluster, deletePod } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { isPodActive, isPodReady, podSpec, podStatus, timeText, workloadSpec } from '../objects.ts';
import { podRefusal } from '../pods/pod-admission.ts';
import { reconcileOn, writeStatus } from '../reconcile.ts';
import { activePods, readyPods, terminatingPods } from '../related.ts';
import { claim } from './claim.ts';
import { createPod } from './pod-maker.ts';

/** How soon to retry a rejected pod. */
const TRY_AGAIN_MS = 5_000;

/** Maintains the number of pods of ReplicaSets and ReplicationControllers. */
export function startReplicaSets(cluster: Cluster): void {
  for (const [resource, kind] of [
    ['replicasets.apps', 'ReplicaSet'],
    ['replicationcontrollers', 'ReplicationController'],
  ] as const) {
    reconcileOn(cluster, { resource, kind, children: ['pods'], claims: true }, (set, mayClaim) => {
      if (mayClaim) claim(cluster, 'pods', set, isPodActive);
      reconcile(cluster, resource, set);
    });
  }
}

function reconcile(cluster: Cluster, resource: string, set: StoredObject): void {
  const spec = workloadSpec(set);
  const wanted = spec.replicas ?? 1;
  const active = activePods(cluster.store, set);
  for (let missing = wanted - active.count; missing > 0; missing--)
    if (createPod(cluster, set, spec.template) === undefined) break;
  if (active.count > wanted) {
    const victims = [...active.list()].sort(byExpendability).slice(0, active.count - wanted);
    for (const pod of victims) {
      deletePod(cluster, pod);
      recordEvent(cluster, set, {
        type: 'Normal',
        reason: 'SuccessfulDelete',
        message: `Deleted pod: ${pod.metadata.name}`,
        component: `${set.kind.toLowerCase()}-controller`,
      });
    }
  }
  const replicas = activePods(cluster.store, set).count;
  const ready = readyPods(cluster.store, set);
  const refusal =
    replicas < wanted
      ? podRefusal(cluster.store, set.metadata.namespace ?? '', `${set.metadata.name}-`, spec.template.spec)
      : undefined;
  if (refusal !== undefined) tryAgainLater(cluster, resource, set);
  writeStatus(
    cluster,
    resource,
    cluster.store.get(resource, set.metadata.namespace, set.metadata.name) ?? set,
    {
      replicas,
      ...(replicas > 0 ? { fullyLabeledReplicas: replicas } : {}),
      ...(ready > 0 ? { readyReplicas: ready, availableReplicas: ready } : {}),
      terminatingReplicas: terminatingPods(cluster.store, set),
      observedGeneration: set.metadata.generation ?? 1,
      ...(refusal === undefined ? {} : { conditions: [replicaFailure(cluster, set, refusal)] }),
    },
  );
}

/** ReplicaSets that wait for a retry. */
const refused = new WeakMap<Cluster, Set<string>>();

function tryAgainLater(cluster: Cluster, resource: string, { metadata }: StoredObject): void {
  const waiting = refused.get(cluster) ?? new Set();
  refused.set(cluster, waiting);
  if (waiting.has(metadata.uid)) return;
  waiting.add(metadata.uid);
  cluster.clock.after(TRY_AGAIN_MS, () => {
    waiting.delete(metadata.uid);
    const set = cluster.store.get(resource, metadata.namespace, metadata.name);
    if (set?.metadata.uid === metadata.uid && set.metadata.deletionTimestamp === undefined)
      reconcile(cluster, resource, set);
  });
}

/** Returns the condition of a ReplicaSet whose pods are rejected; its Deployment repeats it. */
function replicaFailure(cluster: Cluster, { status }: StoredObject, message: string) {
  const known = (status?.conditions as readonly { lastTransitionTime?: string }[] | undefined)?.[0];
  return {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime: known?.lastTransitionTime ?? timeText(cluster.clock.now()),
    reason: 'FailedCreate',
    message,
  };
}

/**
 * Compares pods in the order in which a ReplicaSet deletes them: unscheduled, pending, not ready, youngest
 * (ActivePodsWithRanks).
 */
function byExpendability(a: StoredObject, b: StoredObject): number {
  const rank = (pod: StoredObject) => {
    if (podSpec(pod).nodeName === undefined) return 0;
    if (podStatus(pod).phase === 'Pending') return 1;
    return isPodReady(pod) ? 3 : 2;
  };
  const age = b.metadata.creationTimestamp.localeCompare(a.metadata.creationTimestamp);
  return rank(a) - rank(b) || age || (a.metadata.name < b.metadata.name ? -1 : 1);
}
