import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import { listOf } from './read-json.ts';

type Json = Readonly<Record<string, unknown>>;

const CONTAINER = ['name', 'image', 'restartPolicy', 'restartPolicyRules'] as const;
const STATUS = ['name', 'state', 'lastState', 'restartCount', 'containerID'] as const;
const CONDITION = ['type', 'status', 'reason', 'message'] as const;

/** The container of `kubectl logs`, and the UID under which the kubelet reports events of a static pod. */
const ANNOTATIONS = ['kubectl.kubernetes.io/default-container', 'kubernetes.io/config.mirror'];

/**
 * Returns a pod with only the fields that `readPod` needs: a tenth of the API's object. Without this, volumes, probes
 * and managed fields would stay in memory until the last page of a list arrives.
 */
export function slimPod(object: KubeObject): KubeObject {
  const { metadata, spec: givenSpec, status: givenStatus } = object as KubeObject & Json;
  const spec = asRecord(givenSpec);
  const status = asRecord(givenStatus);
  const { name, namespace, uid, resourceVersion, labels, annotations, ownerReferences, creationTimestamp } =
    metadata;
  return {
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      labels,
      ownerReferences,
      creationTimestamp,
      deletionTimestamp: metadata.deletionTimestamp,
      annotations: annotations && pick(annotations, ANNOTATIONS),
    },
    ...(spec && {
      spec: {
        ...pick(spec, ['nodeName', 'restartPolicy']),
        ...lists(spec, ['initContainers', 'containers', 'ephemeralContainers'], CONTAINER),
      },
    }),
    ...(status && {
      status: {
        ...pick(status, ['phase', 'reason', 'message']),
        ...lists(status, ['conditions'], CONDITION),
        ...lists(
          status,
          ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'],
          STATUS,
        ),
      },
    }),
  } as KubeObject;
}

const CONTAINER_HISTORY = [...CONTAINER, 'resources'] as const;
const STATUS_HISTORY = [...STATUS, 'image', 'ready', 'started'] as const;
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
/** How many failures of a probe, and how much time, lead to its effect. */
const PROBE = ['failureThreshold', 'periodSeconds', 'timeoutSeconds'] as const;
const CONDITION_HISTORY = [...CONDITION, 'lastTransitionTime'] as const;

/**
 * Returns a pod with only the fields that `readPod` and its history need: times, images, limits, probes, volume claims.
 */
export function slimPodWithHistory(object: KubeObject): KubeObject {
  const slim = slimPod(object) as KubeObject & Json;
  const { metadata, spec: givenSpec, status: givenStatus } = object as KubeObject & Json;
  const spec = asRecord(givenSpec);
  const status = asRecord(givenStatus);
  return {
    ...slim,
    metadata: {
      ...slim.metadata,
      ...pick(metadata as unknown as Json, ['deletionGracePeriodSeconds', 'finalizers']),
    },
    ...(spec && {
      spec: {
        ...asRecord(slim.spec),
        ...pick(spec, ['terminationGracePeriodSeconds']),
        ...containersOf(spec),
        ...lists(spec, ['volumes'], ['persistentVolumeClaim']),
      },
    }),
    ...(status && {
      status: {
        ...asRecord(slim.status),
        ...pick(status, ['startTime']),
        ...lists(status, ['conditions'], CONDITION_HISTORY),
        ...lists(
          status,
          ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'],
          STATUS_HISTORY,
        ),
      },
    }),
  } as KubeObject;
}

function containersOf(spec: Json): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'])
    if (spec[list] !== undefined)
      kept[list] = listOf(spec[list]).map((entry) => ({
        ...pick(entry, CONTAINER_HISTORY),
        ...probesOf(entry),
      }));
  return kept;
}

function probesOf(container: Json): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of PROBES) {
    const probe = asRecord(container[name]);
    if (probe !== undefined) kept[name] = pick(probe, PROBE);
  }
  return kept;
}

function pick(from: Json, names: readonly string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of names) if (Object.hasOwn(from, name)) kept[name] = from[name];
  return kept;
}

function lists(from: Json, lists: readonly string[], names: readonly string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const list of lists)
    if (from[list] !== undefined) kept[list] = listOf(from[list]).map((entry) => pick(entry, names));
  return kept;
}
