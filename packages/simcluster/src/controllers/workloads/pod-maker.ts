import type { StoredObject } from '../../store/store.ts';
import { type Cluster, createObject } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { ownerReference, type PodSpec, type PodTemplate } from '../objects.ts';
import { podRefusal } from '../pods/pod-admission.ts';
import { newPodStatus, withPodDefaults } from '../pods/pod-defaults.ts';

export interface NewPod {
  /** Default: the owner's name and five letters. */
  readonly name?: string;
  readonly labels?: Record<string, string>;
  readonly nodeName?: string;
  readonly hostname?: { readonly hostname: string; readonly subdomain: string };
  /** In addition to those of the template. */
  readonly volumes?: readonly object[];
}

const sequence = new WeakMap<Cluster, Map<string, number>>();

/** Creates a pod from an owner's template, with the API server's defaults. Returns undefined if it was rejected. */
export function createPod(
  cluster: Cluster,
  owner: StoredObject,
  template: PodTemplate,
  pod: NewPod = {},
): StoredObject | undefined {
  const namespace = owner.metadata.namespace ?? 'default';
  const generateName = `${owner.metadata.name}-`;
  const count = nextCount(cluster, owner.metadata.uid);
  const random = cluster.random('pod', owner.metadata.uid, count);
  const name = pod.name ?? `${generateName}${random.suffix(5)}`;
  const refusal = podRefusal(cluster.store, namespace, name, template.spec);
  if (refusal !== undefined) {
    recordEvent(cluster, owner, {
      type: 'Warning',
      reason: 'FailedCreate',
      message:
        owner.kind === 'StatefulSet'
          ? `create Pod ${name} in StatefulSet ${owner.metadata.name} failed error: ${refusal}`
          : `Error creating: ${refusal}`,
      component: `${owner.kind.toLowerCase()}-controller`,
    });
    return undefined;
  }
  const spec: PodSpec = withPodDefaults(structuredClone(template.spec));
  if (pod.nodeName !== undefined) spec.nodeName = pod.nodeName;
  if (pod.hostname !== undefined) Object.assign(spec, pod.hostname);
  if ((pod.volumes ?? []).length > 0) {
    const own = (spec as { volumes?: readonly object[] }).volumes ?? [];
    Object.assign(spec, { volumes: [...own, ...(pod.volumes ?? [])] });
  }
  const created = createObject(cluster, 'pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      generateName,
      namespace,
      generation: 1,
      labels: { ...template.metadata?.labels, ...pod.labels },
      ...(template.metadata?.annotations === undefined ? {} : { annotations: template.metadata.annotations }),
      ownerReferences: [ownerReference(owner)],
    },
    spec,
    status: newPodStatus(spec),
  });
  if (created === undefined) return undefined;
  recordEvent(cluster, owner, {
    type: 'Normal',
    reason: 'SuccessfulCreate',
    message:
      owner.kind === 'StatefulSet'
        ? `create Pod ${name} in StatefulSet ${owner.metadata.name} successful`
        : `Created pod: ${name}`,
    component: `${owner.kind.toLowerCase()}-controller`,
  });
  return created;
}

function nextCount(cluster: Cluster, uid: string): number {
  let counts = sequence.get(cluster);
  if (counts === undefined) {
    counts = new Map();
    sequence.set(cluster, counts);
  }
  const count = (counts.get(uid) ?? 0) + 1;
  counts.set(uid, count);
  return count;
}
