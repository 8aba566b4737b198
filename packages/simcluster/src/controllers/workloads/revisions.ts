import type { StoredObject } from '../../store/store.ts';
import { type Cluster, createObject } from '../cluster.ts';
import { ownerReference, workloadSpec } from '../objects.ts';
import { controlledBy } from '../related.ts';

/** The label of pods with the revision that they were made of. */
export const REVISION_LABEL = 'controller-revision-hash';
const RESOURCE = 'controllerrevisions.apps';

/**
 * Keeps the current template of a StatefulSet or DaemonSet as its latest ControllerRevision. One that has the template
 * already gets the next number: a rollback makes no new object (pkg/controller/statefulset, getStatefulSetRevisions;
 * pkg/controller/daemon/update.go, constructHistory).
 */
export function keepRevision(
  cluster: Cluster,
  set: StoredObject,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): void {
  const { namespace = 'default' } = set.metadata;
  const { template } = workloadSpec(set);
  const revisions = controlledBy(cluster.store, RESOURCE, set);
  const latest = Math.max(0, ...revisions.map(revisionOf));
  const known = cluster.store.get(RESOURCE, namespace, name);
  if (known !== undefined) {
    if (revisionOf(known) < latest) cluster.store.replace(RESOURCE, known, { revision: latest + 1 });
    return;
  }
  createObject(cluster, RESOURCE, {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name,
      namespace,
      labels: { ...template.metadata?.labels, ...labels },
      ownerReferences: [ownerReference(set)],
    },
    data: { spec: { template: { ...template, $patch: 'replace' } } },
    revision: latest + 1,
  });
}

function revisionOf({ revision }: StoredObject): number {
  return Number(revision);
}
