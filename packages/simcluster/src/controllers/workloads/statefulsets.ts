import type { StoredObject } from '../../store/store.ts';
import { type Cluster, createObject, deletePod } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { isPodActive, isPodReady, podStatus, workloadSpec } from '../objects.ts';
import { reconcileOn, writeStatus } from '../reconcile.ts';
import { controlledBy } from '../related.ts';
import { claim } from './claim.ts';
import { createPod } from './pod-maker.ts';
import { keepRevision, REVISION_LABEL } from './revisions.ts';
import { templateHash } from './template-hash.ts';

/** Runs StatefulSets: pods by ordinal, one after another unless podManagementPolicy is Parallel. */
export function startStatefulSets(cluster: Cluster): void {
  reconcileOn(
    cluster,
    { resource: 'statefulsets.apps', kind: 'StatefulSet', children: ['pods'], claims: true },
    (set, mayClaim) => {
      if (mayClaim) claim(cluster, 'pods', set, (pod) => ordinalOf(set, pod) !== undefined);
      reconcile(cluster, set);
    },
  );
}

function reconcile(cluster: Cluster, set: StoredObject): void {
  const spec = workloadSpec(set);
  const wanted = spec.replicas ?? 1;
  const revision = `${set.metadata.name}-${templateHash(spec.template, set.metadata.name)}`;
  keepRevision(cluster, set, revision);
  const pods = new Map(controlledBy(cluster.store, 'pods', set).map((pod) => [pod.metadata.name, pod]));
  const parallel = spec.podManagementPolicy === 'Parallel';
  const pod = (ordinal: number) => pods.get(`${set.metadata.name}-${ordinal}`);
  const settled = act(cluster, set, wanted, revision, parallel, pod);
  if (settled) update(cluster, set, wanted, revision, pod);
  const now = controlledBy(cluster.store, 'pods', set).filter(isPodActive);
  const ready = now.filter(isPodReady).length;
  const updated = now.filter((p) => p.metadata.labels?.[REVISION_LABEL] === revision).length;
  const before = (set.status ?? {}) as { currentRevision?: string };
  const done = updated === wanted && ready === wanted;
  const currentRevision = done ? revision : (before.currentRevision ?? revision);
  const current = now.filter((p) => p.metadata.labels?.[REVISION_LABEL] === currentRevision).length;
  writeStatus(cluster, 'statefulsets.apps', set, {
    observedGeneration: set.metadata.generation ?? 1,
    replicas: now.length,
    ...(ready > 0 ? { readyReplicas: ready } : {}),
    ...(current > 0 ? { currentReplicas: current } : {}),
    ...(updated > 0 ? { updatedReplicas: updated } : {}),
    currentRevision,
    updateRevision: revision,
    collisionCount: 0,
    availableReplicas: ready,
  });
}

/** Creates and removes pods; returns true if the pod of every ordinal exists and is ready. */
function act(
  cluster: Cluster,
  set: StoredObject,
  wanted: number,
  revision: string,
  parallel: boolean,
  pod: (ordinal: number) => StoredObject | undefined,
): boolean {
  let settled = true;
  for (let ordinal = 0; ordinal < wanted; ordinal++) {
    if (stands(cluster, set, ordinal, revision, pod(ordinal))) continue;
    settled = false;
    if (!parallel) return false;
  }
  for (let ordinal = highestOrdinal(cluster, set); ordinal >= wanted; ordinal--) {
    const beyond = pod(ordinal);
    if (beyond === undefined) continue;
    settled = false;
    remove(cluster, set, beyond);
    if (!parallel) return false;
  }
  return settled;
}

/** Whether the pod of an ordinal is ready; creates a missing pod and removes a finished one. */
function stands(
  cluster: Cluster,
  set: StoredObject,
  ordinal: number,
  revision: string,
  pod: StoredObject | undefined,
): boolean {
  if (pod === undefined) {
    create(cluster, set, ordinal, revision);
    return false;
  }
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  if (isFinished(pod)) remove(cluster, set, pod, 0);
  return isPodReady(pod);
}

/** Replaces pods of an older revision, highest ordinal first. */
function update(
  cluster: Cluster,
  set: StoredObject,
  wanted: number,
  revision: string,
  pod: (ordinal: number) => StoredObject | undefined,
): void {
  for (let ordinal = wanted - 1; ordinal >= 0; ordinal--) {
    const known = pod(ordinal);
    if (known === undefined || known.metadata.labels?.[REVISION_LABEL] === revision) continue;
    remove(cluster, set, known);
    return;
  }
}

/** pkg/controller/statefulset/stateful_pod_control.go, recordPodEvent. */
function remove(cluster: Cluster, set: StoredObject, pod: StoredObject, gracePeriodSeconds?: number): void {
  if (pod.metadata.deletionTimestamp !== undefined) return;
  deletePod(cluster, pod, gracePeriodSeconds);
  recordEvent(cluster, set, {
    type: 'Normal',
    reason: 'SuccessfulDelete',
    message: `delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`,
    component: 'statefulset-controller',
  });
}

function create(cluster: Cluster, set: StoredObject, ordinal: number, revision: string): void {
  const name = `${set.metadata.name}-${ordinal}`;
  const spec = workloadSpec(set);
  createPod(cluster, set, spec.template, {
    name,
    labels: {
      'apps.kubernetes.io/pod-index': String(ordinal),
      [REVISION_LABEL]: revision,
      'statefulset.kubernetes.io/pod-name': name,
    },
    hostname: { hostname: name, subdomain: String(spec.serviceName ?? set.metadata.name) },
    volumes: claimVolumes(cluster, set, ordinal),
  });
}

function highestOrdinal(cluster: Cluster, set: StoredObject): number {
  let highest = -1;
  for (const pod of controlledBy(cluster.store, 'pods', set)) {
    highest = Math.max(highest, ordinalOf(set, pod) ?? -1);
  }
  return highest;
}

/** Returns the number after the set's name; undefined if the pod does not belong to the set. */
function ordinalOf(set: StoredObject, pod: StoredObject): number | undefined {
  const { name } = pod.metadata;
  if (!name.startsWith(`${set.metadata.name}-`)) return undefined;
  const digits = name.slice(set.metadata.name.length + 1);
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}

function isFinished(pod: StoredObject): boolean {
  const { phase } = podStatus(pod);
  return phase === 'Failed' || phase === 'Succeeded';
}

interface ClaimTemplate {
  readonly metadata?: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/**
 * Creates the missing claims for one pod of a StatefulSet (they outlive the pod), and returns the volumes through which
 * the pod uses them.
 */
function claimVolumes(cluster: Cluster, set: StoredObject, ordinal: number): readonly object[] {
  const templates = set.spec?.volumeClaimTemplates;
  if (!Array.isArray(templates)) return [];
  const { name: setName, namespace = 'default' } = set.metadata;
  const { matchLabels } = workloadSpec(set).selector ?? {};
  return (templates as readonly ClaimTemplate[]).map(({ metadata = {}, spec = {} }) => {
    const claimName = `${metadata.name ?? ''}-${setName}-${ordinal}`;
    createObject(cluster, 'persistentvolumeclaims', {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: claimName,
        namespace,
        labels: { ...metadata.labels, ...matchLabels },
      },
      spec: { volumeMode: 'Filesystem', ...spec },
      status: { phase: 'Pending' },
    });
    return { name: metadata.name, persistentVolumeClaim: { claimName } };
  });
}
