import type { StoredObject } from '../../store/store.ts';
import { type Cluster, deletePod } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { isPodActive, isPodReady, labelsMatch, podSpec, podStatus, workloadSpec } from '../objects.ts';
import { reconcileOn, writeStatus } from '../reconcile.ts';
import { controlledBy } from '../related.ts';
import { claim } from './claim.ts';
import { createPod } from './pod-maker.ts';
import { keepRevision, REVISION_LABEL } from './revisions.ts';
import { templateHash } from './template-hash.ts';

/** Runs DaemonSets: one pod on each node that fits; after a change of the template, replaces them one at a time. */
export function startDaemonSets(cluster: Cluster): void {
  reconcileOn(
    cluster,
    { resource: 'daemonsets.apps', kind: 'DaemonSet', children: ['pods'], claims: true },
    (set, mayClaim) => {
      if (mayClaim) claim(cluster, 'pods', set, isPodActive);
      reconcile(cluster, set);
    },
  );
  cluster.store.subscribe('nodes', ({ type, before }) => {
    if (type === 'MODIFIED' && before !== undefined) return;
    cluster.queue.add('daemonsets-of-nodes', () => {
      for (const set of cluster.store.list('daemonsets.apps')) reconcile(cluster, set);
    });
  });
}

function reconcile(cluster: Cluster, set: StoredObject): void {
  const { template } = workloadSpec(set);
  const hash = templateHash(template, set.metadata.name);
  keepRevision(cluster, set, `${set.metadata.name}-${hash}`, { [REVISION_LABEL]: hash });
  const nodes = cluster.store
    .list('nodes')
    .filter((node) => labelsMatch(template.spec.nodeSelector, node.metadata.labels));
  const pods = controlledBy(cluster.store, 'pods', set);
  fillNodes(cluster, set, nodes, pods, hash);
  removeElsewhere(cluster, set, nodes, pods);
  replaceOutdated(cluster, set, nodes.length, hash);
  const active = controlledBy(cluster.store, 'pods', set).filter(isPodActive);
  const ready = active.filter(isPodReady).length;
  const updated = active.filter((pod) => pod.metadata.labels?.[REVISION_LABEL] === hash).length;
  writeStatus(cluster, 'daemonsets.apps', set, {
    currentNumberScheduled: active.length,
    numberMisscheduled: 0,
    desiredNumberScheduled: nodes.length,
    numberReady: ready,
    observedGeneration: set.metadata.generation ?? 1,
    ...(updated > 0 ? { updatedNumberScheduled: updated } : {}),
    ...(ready > 0 ? { numberAvailable: ready } : {}),
    ...(ready < nodes.length ? { numberUnavailable: nodes.length - ready } : {}),
  });
}

/** Creates a pod for each node without one; removes a finished pod so that the next can follow. */
function fillNodes(
  cluster: Cluster,
  set: StoredObject,
  nodes: readonly StoredObject[],
  pods: readonly StoredObject[],
  hash: string,
): void {
  const { template } = workloadSpec(set);
  const byNode = new Map<string | undefined, StoredObject[]>();
  for (const pod of pods) {
    const { nodeName } = podSpec(pod);
    byNode.set(nodeName, [...(byNode.get(nodeName) ?? []), pod]);
  }
  for (const node of nodes) {
    const nodeName = node.metadata.name;
    const own = byNode.get(nodeName) ?? [];
    if (own.length === 0) createPod(cluster, set, template, { nodeName, labels: { [REVISION_LABEL]: hash } });
    const finished = own.filter((pod) => !isPodActive(pod) && pod.metadata.deletionTimestamp === undefined);
    for (const pod of finished) removeFinished(cluster, set, pod, nodeName);
  }
}

/** pkg/controller/daemon/daemon_controller.go, podsShouldBeOnNode. */
function removeFinished(cluster: Cluster, set: StoredObject, pod: StoredObject, node: string): void {
  const { namespace, name } = pod.metadata;
  const hasFailed = podStatus(pod).phase === 'Failed';
  recordEvent(cluster, set, {
    type: hasFailed ? 'Warning' : 'Normal',
    reason: hasFailed ? 'FailedDaemonPod' : 'SucceededDaemonPod',
    message: `Found ${hasFailed ? 'failed' : 'succeeded'} daemon pod ${namespace}/${name} on node ${node}, will try to ${hasFailed ? 'kill' : 'delete'} it`,
    component: 'daemonset-controller',
  });
  remove(cluster, set, pod, 0);
}

/**
 * Replaces pods of earlier templates: those that are not ready at once, the others one by one
 * (pkg/controller/daemon/update.go, rollingUpdate).
 */
function replaceOutdated(cluster: Cluster, set: StoredObject, nodes: number, hash: string): void {
  const active = controlledBy(cluster.store, 'pods', set).filter(isPodActive);
  const outdated = active.filter((pod) => pod.metadata.labels?.[REVISION_LABEL] !== hash);
  const unready = outdated.filter((pod) => !isPodReady(pod));
  for (const pod of unready) remove(cluster, set, pod);
  const [next] = outdated;
  if (next !== undefined && active.length === nodes && active.every(isPodReady)) remove(cluster, set, next);
}

function removeElsewhere(
  cluster: Cluster,
  set: StoredObject,
  nodes: readonly StoredObject[],
  pods: readonly StoredObject[],
): void {
  const wanted = new Set(nodes.map((node) => node.metadata.name));
  for (const pod of pods) {
    if (!wanted.has(podSpec(pod).nodeName ?? '')) remove(cluster, set, pod, 0);
  }
}

/** pkg/controller/controller_utils.go, DeletePod. */
function remove(cluster: Cluster, set: StoredObject, pod: StoredObject, gracePeriodSeconds?: number): void {
  if (pod.metadata.deletionTimestamp !== undefined) return;
  deletePod(cluster, pod, gracePeriodSeconds);
  recordEvent(cluster, set, {
    type: 'Normal',
    reason: 'SuccessfulDelete',
    message: `Deleted pod: ${pod.metadata.name}`,
    component: 'daemonset-controller',
  });
}
