import type { KubeObject } from '@logtool/kube/src/client.ts';
import { listOf, objectOf } from './read-json.ts';

type Json = Readonly<Record<string, unknown>>;

const CONTAINER = ['name', 'image', 'restartPolicy', 'restartPolicyRules'] as const;
const STATUS = ['name', 'state', 'lastState', 'restartCount', 'containerID'] as const;
const CONDITION = ['type', 'status', 'reason', 'message'] as const;

/**
 * A pod with only the fields that `readPod` needs: a tenth of the API's object, whose volumes, probes and
 * managed fields would be held until the last page of a list has come.
 */
export function slimPod(object: KubeObject): KubeObject {
  const { metadata, spec: givenSpec, status: givenStatus } = object as KubeObject & Json;
  const spec = objectOf(givenSpec);
  const status = objectOf(givenStatus);
  const { name, namespace, uid, resourceVersion, labels, annotations, ownerReferences } = metadata;
  return {
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      labels,
      ownerReferences,
      deletionTimestamp: metadata.deletionTimestamp,
      annotations: annotations && pick(annotations, ['kubectl.kubernetes.io/default-container']),
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
