import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { ownerReference } from '../objects.ts';
import { controlledBy, withoutController } from '../related.ts';
import { selects } from '../selects.ts';

/**
 * A workload takes in the objects of a resource that nobody controls and its selector chooses, and lets go of its own
 * that it does not choose any more (k8s.io/kubernetes/pkg/controller, BaseControllerRefManager.ClaimObject). `counts`
 * leaves out what is neither taken nor let go, such as finished pods.
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
