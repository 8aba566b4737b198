import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import { parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Workload } from '../../domain/container.ts';
import { type ContainerFacts, readContainers } from './container-facts.ts';
import { listOf, textOf } from './read-json.ts';

/** The annotation that names the container of `kubectl logs`. */
export const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** One entry of metadata.ownerReferences. */
export interface OwnerRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** The fields of a pod that resolution needs. The rest of the object is dropped. */
export interface PodFacts {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** Annotation kubectl.kubernetes.io/default-container. */
  readonly defaultContainer: string | undefined;
  readonly owners: readonly OwnerRef[];
  readonly node: string | undefined;
  /** Pending, Running, Succeeded, Failed, Unknown. */
  readonly phase: string;
  readonly deleting: boolean;
  /**
   * When the API server created the pod. Undefined for a static pod: its object is a copy, which may be younger than its
   * containers.
   */
  readonly createdAt: Timestamp | undefined;
  readonly containers: readonly ContainerFacts[];
}

/**
 * Returns what created a pod, by its owner's name. A Deployment names its ReplicaSets after itself and the hash of the
 * template, which their pods carry as a label (k8s.io/kubernetes/pkg/controller/deployment/sync.go, getNewReplicaSet).
 */
export function workloadOf({ owners, labels }: PodFacts): Workload | undefined {
  const [owner] = owners;
  // Static pods, which come from files on a node, belong to the node.
  if (owner === undefined || owner.kind === 'Node') return undefined;
  const hash = labels.get('pod-template-hash') ?? labels.get('rollouts-pod-template-hash') ?? '';
  const isHashed = owner.kind === 'ReplicaSet' && hash !== '' && owner.name.endsWith(`-${hash}`);
  const name = isHashed ? owner.name.slice(0, -hash.length - 1) : owner.name;
  return { ownerKind: owner.kind, name };
}

/** Reads a pod as the API returns it. Treats fields that are missing or have another shape as absent. */
export function readPod(object: KubeObject): PodFacts {
  const { metadata } = object;
  const pod = asRecord(object) ?? {};
  const spec = asRecord(pod.spec) ?? {};
  const phase = textOf(asRecord(pod.status)?.phase) ?? 'Unknown';
  const deleting = textOf(metadata.deletionTimestamp) !== undefined;
  const owners = readOwners(metadata.ownerReferences);
  return {
    uid: metadata.uid,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    labels: readLabels(metadata.labels),
    defaultContainer: readLabels(metadata.annotations).get(DEFAULT_CONTAINER),
    owners,
    node: textOf(spec.nodeName),
    phase,
    deleting,
    createdAt: owners.some(({ kind }) => kind === 'Node') ? undefined : createdAt(metadata),
    containers: readContainers(pod, { phase, deleting }),
  };
}

function createdAt({ creationTimestamp }: KubeObject['metadata']): Timestamp | undefined {
  return parseTimestamp(textOf(creationTimestamp) ?? '');
}

/** Reads a map of texts (labels, annotations). Returns a Map, so that no key can name a property of objects. */
export function readLabels(value: unknown): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const [key, text] of Object.entries(asRecord(value) ?? {})) {
    if (typeof text === 'string') labels.set(key, text);
  }
  return labels;
}

export function readOwners(value: unknown): readonly OwnerRef[] {
  return listOf(value).flatMap((entry) => {
    const uid = textOf(entry.uid);
    if (uid === undefined) return [];
    return [
      {
        uid,
        apiVersion: textOf(entry.apiVersion) ?? '',
        kind: textOf(entry.kind) ?? '',
        name: textOf(entry.name) ?? '',
      },
    ];
  });
}
