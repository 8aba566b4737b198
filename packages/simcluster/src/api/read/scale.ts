import type { StoredObject } from '../../store/store.ts';
import { at, fields, labelText, number, selectorText } from '../table/read.ts';

/** Returns the scale subresource of a workload (autoscaling/v1 Scale). */
export function scaleOf(object: StoredObject): Record<string, unknown> {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = number(at(object, 'status', 'replicas'));
  const selector = at(object, 'spec', 'selector');
  const plain = object.kind === 'ReplicationController';
  const text = plain ? labelText(selector) : selectorText(selector);
  const wanted = number(at(object, 'spec', 'replicas'));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: wanted === 0 ? {} : { replicas: wanted },
    status: { replicas, ...(text === '<none>' || text === '' ? {} : { selector: text }) },
  };
}

/** Returns the number of replicas that a Scale requests. */
export function wantedReplicas(scale: unknown): number {
  return number(fields(at(scale, 'spec')).replicas);
}
