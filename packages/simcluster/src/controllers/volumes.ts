import type { StoredObject } from '../store/store.ts';
import { type Cluster, createObject } from './cluster.ts';
import { recordEvent } from './event-recorder.ts';
import { timeText } from './objects.ts';

const CLAIMS = 'persistentvolumeclaims';
const VOLUMES = 'persistentvolumes';
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

/**
 * Gives every claim a volume at once, as a disk provisioner does
 * (kubernetes.io/docs/concepts/storage/persistent-volumes), and removes the volume with the claim. A claim with a class
 * that the scenario lacks keeps waiting.
 */
export function startVolumes(cluster: Cluster): void {
  const { store, queue } = cluster;
  store.subscribe(CLAIMS, ({ type, object }) => {
    const { namespace, name, uid } = object.metadata;
    queue.add(`claim/${uid}`, () => {
      const claim = store.get(CLAIMS, namespace, name);
      if (type === 'DELETED' || claim?.metadata.uid !== uid) release(cluster, object);
      else if (claim.status?.phase !== 'Bound') bind(cluster, claim);
    });
  });
}

function bind(cluster: Cluster, claim: StoredObject): void {
  const { store } = cluster;
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  const classes = store.list('storageclasses.storage.k8s.io');
  const wanted =
    claim.spec?.storageClassName ??
    classes.find(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true')?.metadata.name;
  const isWanted = typeof wanted === 'string' && wanted !== '';
  if (isWanted && classes.length > 0 && !classes.some(({ metadata }) => metadata.name === wanted)) {
    recordEvent(cluster, claim, {
      type: 'Warning',
      reason: 'ProvisioningFailed',
      message: `storageclass.storage.k8s.io ${JSON.stringify(wanted)} not found`,
      component: 'persistentvolume-controller',
    });
    return;
  }
  const volumeName = typeof claim.spec?.volumeName === 'string' ? claim.spec.volumeName : `pvc-${uid}`;
  const resources = claim.spec?.resources as { requests?: Record<string, string> } | undefined;
  const capacity = { storage: resources?.requests?.storage ?? '1Gi' };
  const { accessModes = ['ReadWriteOnce'], volumeMode = 'Filesystem' } = claim.spec ?? {};
  createObject(cluster, VOLUMES, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volumeName },
    spec: {
      capacity,
      accessModes,
      claimRef: { apiVersion: 'v1', kind: claim.kind, namespace, name, uid, resourceVersion },
      persistentVolumeReclaimPolicy: 'Delete',
      volumeMode,
      ...(isWanted ? { storageClassName: wanted } : {}),
    },
    status: { phase: 'Bound', lastPhaseTransitionTime: timeText(cluster.clock.now()) },
  });
  store.update(CLAIMS, namespace, name, (changed) => {
    changed.spec = { ...changed.spec, ...(isWanted ? { storageClassName: wanted } : {}), volumeName };
    changed.status = { ...changed.status, phase: 'Bound', accessModes, capacity };
    return undefined;
  });
}

function release(cluster: Cluster, claim: StoredObject): void {
  const { volumeName } = claim.spec ?? {};
  if (typeof volumeName !== 'string') return;
  const volume = cluster.store.get(VOLUMES, undefined, volumeName);
  const owner = volume?.spec?.claimRef as { uid?: string } | undefined;
  if (owner?.uid === claim.metadata.uid) cluster.store.remove(VOLUMES, undefined, volumeName);
}
