import type { StoredObject } from '../../store/store.ts';
import { type Cluster, createObject } from '../cluster.ts';
import { isPodReady, ownerReference, workloadSpec } from '../objects.ts';
import { reconcileOn, writeStatus } from '../reconcile.ts';
import { controlledBy } from '../related.ts';
import { createPod } from './pod-maker.ts';
import { templateHash } from './template-hash.ts';

export interface OwnKind {
  /** The store's name of the resource: `rollouts.argoproj.io`. */
  readonly resource: string;
  readonly kind: string;
  readonly owns: 'ReplicaSet' | 'Pod';
}

/** Runs controllers for a scenario's own kinds (such as an Argo Rollout): a ReplicaSet for each template, or pods. */
export function startOwnKinds(cluster: Cluster, kinds: readonly OwnKind[]): void {
  for (const { resource, kind, owns } of kinds) {
    const child = owns === 'Pod' ? 'pods' : 'replicasets.apps';
    reconcileOn(cluster, { resource, kind, children: [child] }, (object) => {
      if (owns === 'Pod') keepPods(cluster, object);
      else keepSet(cluster, object);
      const pods = podsBelow(cluster, object);
      writeStatus(cluster, resource, object, {
        observedGeneration: String(object.metadata.generation ?? 1),
        replicas: pods.length,
        readyReplicas: pods.filter(isPodReady).length,
        availableReplicas: pods.filter(isPodReady).length,
      });
    });
  }
}

function podsBelow({ store }: Cluster, owner: StoredObject): readonly StoredObject[] {
  const sets = controlledBy(store, 'replicasets.apps', owner);
  return [owner, ...sets].flatMap((object) => controlledBy(store, 'pods', object));
}

function keepPods(cluster: Cluster, owner: StoredObject): void {
  const spec = workloadSpec(owner);
  const pods = controlledBy(cluster.store, 'pods', owner);
  for (let n = pods.length; n < (spec.replicas ?? 1); n++) createPod(cluster, owner, spec.template);
}

function keepSet(cluster: Cluster, owner: StoredObject): void {
  const spec = workloadSpec(owner);
  const hash = templateHash(spec.template);
  const { namespace } = owner.metadata;
  const name = `${owner.metadata.name}-${hash}`;
  const labels = { ...spec.template.metadata?.labels, 'rollouts-pod-template-hash': hash };
  const replicas = spec.replicas ?? 1;
  const sets = controlledBy(cluster.store, 'replicasets.apps', owner);
  for (const set of sets) {
    const wanted = set.metadata.name === name ? replicas : 0;
    if (workloadSpec(set).replicas === wanted) continue;
    cluster.store.update('replicasets.apps', namespace, set.metadata.name, (object) => {
      workloadSpec(object).replicas = wanted;
      return undefined;
    });
  }
  createObject(cluster, 'replicasets.apps', {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: namespace ?? 'default',
      generation: 1,
      labels,
      ownerReferences: [ownerReference(owner)],
    },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
    status: { replicas: 0 },
  });
}
