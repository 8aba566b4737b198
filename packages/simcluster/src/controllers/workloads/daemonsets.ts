import type { StoredObject } from '../../store/store.ts';
import { type Cluster, deletePod } from '../cluster.ts';
import { isPodActive, isPodReady, labelsMatch, podSpec, workloadSpec } from '../objects.ts';
import { reconcileOn, writeStatus } from '../reconcile.ts';
import { controlledBy } from '../related.ts';
import { claim } from './claim.ts';
import { createPod } from './pod-maker.ts';
import { templateHash } from './template-hash.ts';

const HASH = 'controller-revision-hash';

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
  const nodes = cluster.store
    .list('nodes')
    .filter((node) => labelsMatch(template.spec.nodeSelector, node.metadata.labels));
  const pods = controlledBy(cluster.store, 'pods', set);
  fillNodes(cluster, set, nodes, pods, hash);
  removeElsewhere(cluster, nodes, pods);
  const active = controlledBy(cluster.store, 'pods', set).filter(isPodActive);
  const ready = active.filter(isPodReady).length;
  const outdated = active.find((pod) => pod.metadata.labels?.[HASH] !== hash);
  if (outdated !== undefined && active.length === nodes.length && ready === active.length)
    deletePod(cluster, outdated);
  const updated = active.filter((pod) => pod.metadata.labels?.[HASH] === hash).length;
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
    if (own.length === 0) createPod(cluster, set, template, { nodeName, labels: { [HASH]: hash } });
    const finished = own.filter((pod) => !isPodActive(pod) && pod.metadata.deletionTimestamp === undefined);
    for (const pod of finished) deletePod(cluster, pod, 0);
  }
}

function removeElsewhere(
  cluster: Cluster,
  nodes: readonly StoredObject[],
  pods: readonly StoredObject[],
): void {
  const wanted = new Set(nodes.map((node) => node.metadata.name));
  for (const pod of pods) {
    if (!wanted.has(podSpec(pod).nodeName ?? '')) deletePod(cluster, pod, 0);
  }
}
