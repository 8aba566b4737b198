import type { ContainerRuntime } from '../kubelet/runtime.ts';
import type { StoredObject } from '../store.ts';
import type { Behaviours } from './behaviours.ts';
import type { Cluster } from './cluster.ts';
import { podSpec, timeText } from './objects.ts';
import { PodWorker } from './pod-worker.ts';
import type { Registries } from './registries.ts';
import { podsOn } from './related.ts';

/** Time without a word from a kubelet after which its node counts as not ready. */
const NODE_GRACE_MS = 40_000;

/** The kubelets of all nodes: a worker for each pod that has one. */
export interface Kubelets {
  worker(podUid: string): PodWorker | undefined;
  workers(): readonly PodWorker[];
  down(node: string): void;
  up(node: string): void;
  /** The history is over: every line at its own time from now on. */
  goLive(): Promise<void>;
}

export interface KubeletSettings {
  readonly runtime: ContainerRuntime;
  readonly behaviours: Behaviours;
  readonly registries: Registries;
  readonly skewMsOf: (node: string) => number;
}

export function startKubelets(cluster: Cluster, settings: KubeletSettings): Kubelets {
  const workers = new Map<string, PodWorker>();
  const nodesDown = new Set<string>();
  let addresses = 0;

  const begin = (pod: StoredObject, node: string): void => {
    const hostIP = addressOf(cluster.store.get('nodes', undefined, node));
    addresses++;
    const worker = new PodWorker(pod, {
      cluster,
      runtime: settings.runtime,
      behaviours: settings.behaviours,
      registries: settings.registries,
      skewMs: settings.skewMsOf(node),
      hostIP,
      podIP: `10.244.${Math.floor(addresses / 250) % 250}.${(addresses % 250) + 2}`,
      kubeletUp: () => !nodesDown.has(node),
      onGone: () => workers.delete(pod.metadata.uid),
    });
    workers.set(pod.metadata.uid, worker);
    worker.begin();
  };

  const sync = (namespace: string | undefined, name: string): void => {
    const pod = cluster.store.get('pods', namespace, name);
    if (pod === undefined) return;
    const { nodeName } = podSpec(pod);
    if (nodeName === undefined) return;
    const worker = workers.get(pod.metadata.uid);
    if (worker !== undefined) worker.changed(pod);
    else if (!nodesDown.has(nodeName) && pod.metadata.deletionTimestamp === undefined) begin(pod, nodeName);
    else if (pod.metadata.deletionTimestamp !== undefined) cluster.store.remove('pods', namespace, name);
  };

  cluster.store.subscribe('pods', ({ type, object }) => {
    const { namespace, name, uid } = object.metadata;
    if (type === 'DELETED') cluster.queue.add(`pod-gone/${uid}`, () => workers.get(uid)?.removed());
    else cluster.queue.add(`pod/${namespace}/${name}`, () => sync(namespace, name));
  });

  return {
    worker: (uid) => workers.get(uid),
    workers: () => [...workers.values()],
    down(node) {
      for (const worker of workers.values()) for (const container of worker.containers) container.flush();
      nodesDown.add(node);
      settings.runtime.kubeletDown(node);
      cluster.clock.after(NODE_GRACE_MS, () => {
        if (nodesDown.has(node)) setReady(cluster, node, false);
      });
    },
    up(node) {
      nodesDown.delete(node);
      settings.runtime.kubeletUp(node);
      setReady(cluster, node, true);
      for (const pod of podsOn(cluster.store, node)) {
        workers.get(pod.metadata.uid)?.resync();
        sync(pod.metadata.namespace, pod.metadata.name);
      }
    },
    async goLive() {
      let done = 0;
      for (const worker of [...workers.values()]) {
        for (const container of worker.containers) container.goLive();
        if (++done % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

function addressOf(node: StoredObject | undefined): string {
  const addresses = (node?.status as { addresses?: { type: string; address: string }[] } | undefined)
    ?.addresses;
  return addresses?.find((a) => a.type === 'InternalIP')?.address ?? '192.0.2.1';
}

function setReady(cluster: Cluster, name: string, ready: boolean): void {
  cluster.store.update('nodes', undefined, name, (node) => {
    const status = node.status as { conditions?: Record<string, unknown>[] } | undefined;
    const condition = status?.conditions?.find((c) => c.type === 'Ready');
    const word = ready ? 'True' : 'Unknown';
    if (condition === undefined || condition.status === word) return false;
    condition.status = word;
    condition.reason = ready ? 'KubeletReady' : 'NodeStatusUnknown';
    condition.message = ready ? 'kubelet is posting ready status' : 'Kubelet stopped posting node status.';
    condition.lastTransitionTime = timeText(cluster.clock.now());
    return undefined;
  });
}
