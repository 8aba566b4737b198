import { Backoff } from '@logtool/kube/src/values/retry.ts';
import type { z } from 'zod';
import { durationMs } from '../../scenario/duration.ts';
import type { volumeFault } from '../../scenario/volume-schema.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { podSpec } from '../objects.ts';
import { missingVolumeSource, type PodVolume } from './container-config.ts';
import { podEvent } from './pod-events.ts';

export type VolumeFault = z.infer<typeof volumeFault>;

export interface MountOptions {
  readonly cluster: Cluster;
  readonly faults: readonly VolumeFault[];
  readonly pod: StoredObject;
  readonly isOver: () => boolean;
  /** Called when all volumes are mounted. */
  readonly onMounted: () => void;
}

/** Waits of the volume manager, in ms (pkg/util/goroutinemap/exponentialbackoff). */
const RETRY_POLICY = {
  waitsMs: [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 122_000],
} as const;
/**
 * How long the kubelet waits for volumes before it reports the missing ones (pkg/kubelet/volumemanager,
 * podAttachAndMountTimeout).
 */
const REPORT_MS = 123_000;

/** Mounts the volumes of a pod, retries until all are mounted, and reports each failure as an event. */
export function mountVolumes(options: MountOptions): void {
  const { cluster, isOver, onMounted } = options;
  if (failureOf(options) === undefined) {
    onMounted();
    return;
  }
  const backoff = new Backoff(RETRY_POLICY);
  let isMounted = false;
  const attempt = () => {
    if (isOver()) return;
    const failure = failureOf(options);
    if (failure === undefined) {
      isMounted = true;
      onMounted();
      return;
    }
    report(options, failure);
    cluster.clock.after(backoff.nextMs(), attempt);
  };
  const remind = () => {
    const failure = failureOf(options);
    if (isOver() || isMounted || failure === undefined) return;
    const message = `Unable to attach or mount volumes: unmounted volumes=[${failure.volume}], unattached volumes=[], failed to process volumes=[]: context deadline exceeded`;
    podEvent(cluster, options.pod, ['Warning', 'FailedMount', message]);
    cluster.clock.after(REPORT_MS, remind);
  };
  attempt();
  cluster.clock.after(REPORT_MS, remind);
}

interface MountFailure {
  readonly volume: string;
  readonly reason: 'FailedMount' | 'FailedAttachVolume';
  readonly message: string;
}

function failureOf({ cluster, faults, pod }: MountOptions): MountFailure | undefined {
  const namespace = pod.metadata.namespace ?? 'default';
  for (const volume of (podSpec(pod).volumes ?? []) as readonly PodVolume[]) {
    const missing = missingVolumeSource(cluster.store, namespace, volume);
    if (missing !== undefined) {
      const message = `MountVolume.SetUp failed for volume "${volume.name}" : ${missing}`;
      return { volume: volume.name, reason: 'FailedMount', message };
    }
    const claim = volume.persistentVolumeClaim?.claimName;
    const fault = faults.find((one) => one.claim === claim && isNow(cluster, one));
    if (claim !== undefined && fault !== undefined)
      return faultOf(fault, volume.name, volumeOf(cluster, namespace, claim));
  }
  return undefined;
}

function isNow({ clock }: Cluster, { from, until }: VolumeFault): boolean {
  const nowMs = clock.now();
  if (from !== undefined && nowMs < clock.startMs + durationMs(from)) return false;
  return until === undefined || nowMs < clock.startMs + durationMs(until);
}

function volumeOf({ store }: Cluster, namespace: string, claim: string): string {
  return String(store.get('persistentvolumeclaims', namespace, claim)?.spec?.volumeName ?? claim);
}

/**
 * Makes the messages of pkg/volume/util/operationexecutor/operation_generator.go and
 * pkg/controller/volume/attachdetach/reconciler.
 */
function faultOf({ fails, text }: VolumeFault, volume: string, name: string): MountFailure {
  switch (fails) {
    case 'attach':
      return {
        volume,
        reason: 'FailedAttachVolume',
        message: `AttachVolume.Attach failed for volume "${name}" : ${text ?? 'rpc error: code = DeadlineExceeded desc = context deadline exceeded'}`,
      };
    case 'multi-attach':
      return {
        volume,
        reason: 'FailedAttachVolume',
        message: `Multi-Attach error for volume "${name}" Volume is already exclusively attached to one node and can't be attached to another`,
      };
    case 'mount':
      return {
        volume,
        reason: 'FailedMount',
        message: `MountVolume.MountDevice failed for volume "${name}" : ${text ?? 'rpc error: code = Internal desc = mount failed: exit status 32'}`,
      };
  }
}

function report({ cluster, pod }: MountOptions, { reason, message }: MountFailure): void {
  if (reason === 'FailedMount') podEvent(cluster, pod, ['Warning', reason, message]);
  else recordEvent(cluster, pod, { type: 'Warning', reason, message, component: 'attachdetach-controller' });
}
