import type { StoredObject } from '../store.ts';
import { claim } from './claim.ts';
import { type Cluster, deletePod } from './cluster.ts';
import { isPodActive, isPodReady, labelsMatch, podSpec, workloadSpec } from './objects.ts';
import { createPod } from './pod-maker.ts';
import { reconcileOn, writeStatus } from './reconcile.ts';
import { controlledBy } from './related.ts';
import { templateHash } from './template-hash.ts';

const HASH = 'controller-revision-hash';

/** DaemonSets: one pod on each node that fits; a new template replaces them one at a time. */
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
  const spec = workloadSpec(set);
  const hash = templateHash(spec.template, set.metadata.name);
  const nodes = cluster.store
    .list('nodes')
    .filter((node) => labelsMatch(spec.template.spec.nodeSelector, node.metadata.labels));
  const before = controlledBy(cluster.store, 'pods', set);
  const byNode = new Map<string | undefined, StoredObject[]>();
  for (const pod of before) {
    const { nodeName } = podSpec(pod);
    byNode.set(nodeName, [...(byNode.get(nodeName) ?? []), pod]);
  }
  for (const node of nodes) {
    const there = byNode.get(node.metadata.name) ?? [];
    if (there.length === 0)
      createPod(cluster, set, spec.template, { nodeName: node.metadata.name, labels: { [HASH]: hash } });
    else
      for (const pod of there)
        if (!isPodActive(pod) && pod.metadata.deletionTimestamp === undefined) deletePod(cluster, pod, 0);
  }
  const wanted = new Set(nodes.map((node) => node.metadata.name));
  for (const pod of before) {
    if (!wanted.has(podSpec(pod).nodeName ?? '')) deletePod(cluster, pod, 0);
  }
  const now = controlledBy(cluster.store, 'pods', set).filter(isPodActive);
  const ready = now.filter(isPodReady);
  const outdated = now.find((pod) => pod.metadata.labels?.[HASH] !== hash);
  if (outdated !== undefined && now.length === nodes.length && ready.length === now.length)
    deletePod(cluster, outdated);
  const updated = now.filter((pod) => pod.metadata.labels?.[HASH] === hash).length;
  writeStatus(cluster, 'daemonsets.apps', set, {
    currentNumberScheduled: now.length,
    numberMisscheduled: 0,
    desiredNumberScheduled: nodes.length,
    numberReady: ready.length,
    observedGeneration: set.metadata.generation ?? 1,
    ...(updated > 0 ? { updatedNumberScheduled: updated } : {}),
    ...(ready.length > 0 ? { numberAvailable: ready.length } : {}),
    ...(ready.length < nodes.length ? { numberUnavailable: nodes.length - ready.length } : {}),
  });
}
