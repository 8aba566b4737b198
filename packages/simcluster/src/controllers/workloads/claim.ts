import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { ownerReference } from '../objects.ts';
import { controlledBy, withoutController } from '../related.ts';
import { selects } from '../selects.ts';

/**
 * Adopts the objects of a resource that no controller owns and that match the workload's selector, and releases its own
 * that no longer match (k8s.io/kubernetes/pkg/controller, BaseControllerRefManager.ClaimObject). `counts` excludes
 * objects that are neither adopted nor released, such as finished pods.
 */
export function claim(
  cluster: Cluster,
  resource: string,
  workload: StoredObject,
  counts: (object: StoredObject) => boolean = () => true,
): void {
  const { store } = cluster;
  const leaving = controlledBy(store, resource, workload).filter(
    (object) => counts(object) && !selects(workload, object),
  );
  for (const object of leaving) release(cluster, resource, workload, object);
  const joining = withoutController(store, resource, workload.metadata.namespace).filter(
    (object) =>
      object.metadata.deletionTimestamp === undefined && counts(object) && selects(workload, object),
  );
  for (const object of joining) adopt(cluster, resource, workload, object);
}

function adopt(cluster: Cluster, resource: string, workload: StoredObject, object: StoredObject): void {
  const others = object.metadata.ownerReferences?.filter(({ uid }) => uid !== workload.metadata.uid) ?? [];
  cluster.store.replace(resource, object, {
    metadata: { ...object.metadata, ownerReferences: [...others, ownerReference(workload)] },
  });
}

function release(cluster: Cluster, resource: string, workload: StoredObject, object: StoredObject): void {
  const { ownerReferences = [], ...metadata } = object.metadata;
  const left = ownerReferences.filter(({ uid }) => uid !== workload.metadata.uid);
  cluster.store.replace(resource, object, {
    metadata: {
      ...metadata,
      ...(left.length === 0 ? {} : { ownerReferences: left }),
    } as StoredObject['metadata'],
  });
}
