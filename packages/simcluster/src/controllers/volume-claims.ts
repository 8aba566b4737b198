import type { StoredObject } from '../store.ts';
import { type Cluster, createObject } from './cluster.ts';
import { workloadSpec } from './objects.ts';

interface ClaimTemplate {
  readonly metadata?: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/**
 * Makes the claims of one pod of a StatefulSet where they are not there yet (they outlive the pod), and returns the
 * volumes by which the pod has them.
 */
export function claimVolumes(cluster: Cluster, set: StoredObject, ordinal: number): readonly object[] {
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
