import type { z } from 'zod';
import { durationMs } from '../../scenario/duration.ts';
import type { networkFault } from '../../scenario/network-schema.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { podSpec } from '../objects.ts';
import { podEvent } from './pod-events.ts';

export type NetworkFault = z.infer<typeof networkFault>;

export interface SandboxOptions {
  readonly cluster: Cluster;
  readonly faults: readonly NetworkFault[];
  readonly pod: StoredObject;
  readonly isOver: () => boolean;
  /** Called when the pod has its sandbox. */
  readonly onMade: () => void;
}

/** Wait of the kubelet after a failed sync, and how much longer it may be (pkg/kubelet/pod_workers.go, completeWork). */
const RETRY_MS = 10_000;
const RETRY_JITTER = 0.5;

/**
 * Makes the sandbox of a pod, and tries again until the network of its node works. Each attempt has an ID of its own. A
 * pod in the network of its node needs none.
 */
export function makeSandbox(options: SandboxOptions, attempt = 0): void {
  const { cluster, pod, isOver, onMade } = options;
  if (isOver()) return;
  const fault = faultOf(options);
  if (fault === undefined) {
    onMade();
    return;
  }
  const random = cluster.random('sandbox', pod.metadata.uid, attempt);
  // pkg/kubelet/kuberuntime/kuberuntime_manager.go, SyncPod; containerd, internal/cri/server/sandbox_run.go.
  const message = `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "${random.hex(64)}": ${fault.text}`;
  podEvent(cluster, pod, ['Warning', 'FailedCreatePodSandBox', message]);
  const waitMs = Math.round(RETRY_MS * (1 + (random.int(0, 100) / 100) * RETRY_JITTER));
  cluster.clock.after(waitMs, () => makeSandbox(options, attempt + 1));
}

function faultOf({ cluster: { clock }, faults, pod }: SandboxOptions): NetworkFault | undefined {
  const { nodeName, hostNetwork } = podSpec(pod);
  if (hostNetwork === true) return undefined;
  const nowMs = clock.now() - clock.startMs;
  return faults.find(
    ({ node, from, until }) =>
      (node === undefined || node === nodeName) &&
      (from === undefined || nowMs >= durationMs(from)) &&
      (until === undefined || nowMs < durationMs(until)),
  );
}
