import type { ContainerRuntime } from '../../kubelet/runtime.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { podSpec, timeText } from '../objects.ts';
import { podsOn } from '../related.ts';
import type { Behaviors } from './behaviors.ts';
import { PodWorker } from './pod-worker.ts';
import type { Registries } from './registries.ts';

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
  readonly behaviors: Behaviors;
  readonly registries: Registries;
  readonly skewMsOf: (node: string) => number;
}

export function startKubelets(cluster: Cluster, settings: KubeletSettings): Kubelets {
  const kubelets = new KubeletsOfNodes(cluster, settings);
  kubelets.start();
  return kubelets;
}

class KubeletsOfNodes implements Kubelets {
  readonly #cluster: Cluster;
  readonly #settings: KubeletSettings;
  readonly #workers = new Map<string, PodWorker>();
  readonly #nodesDown = new Set<string>();
  #addresses = 0;

  constructor(cluster: Cluster, settings: KubeletSettings) {
    this.#cluster = cluster;
    this.#settings = settings;
  }

  start(): void {
    const { store, queue } = this.#cluster;
    store.subscribe('pods', ({ type, object }) => {
      const { namespace, name, uid } = object.metadata;
      if (type === 'DELETED') queue.add(`pod-gone/${uid}`, () => this.#workers.get(uid)?.removed());
      else queue.add(`pod/${namespace}/${name}`, () => this.#sync(namespace, name));
    });
  }

  worker(podUid: string): PodWorker | undefined {
    return this.#workers.get(podUid);
  }

  workers(): readonly PodWorker[] {
    return [...this.#workers.values()];
  }

  down(node: string): void {
    for (const worker of this.#workers.values()) for (const container of worker.containers) container.flush();
    this.#nodesDown.add(node);
    this.#settings.runtime.kubeletDown(node);
    this.#cluster.clock.after(NODE_GRACE_MS, () => {
      if (this.#nodesDown.has(node)) setReady(this.#cluster, node, false);
    });
  }

  up(node: string): void {
    this.#nodesDown.delete(node);
    this.#settings.runtime.kubeletUp(node);
    setReady(this.#cluster, node, true);
    for (const pod of podsOn(this.#cluster.store, node)) {
      this.#workers.get(pod.metadata.uid)?.resync();
      this.#sync(pod.metadata.namespace, pod.metadata.name);
    }
  }

  async goLive(): Promise<void> {
    let done = 0;
    for (const worker of this.workers()) {
      for (const container of worker.containers) container.goLive();
      if (++done % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Gives a scheduled pod a worker, passes a change to the worker, or removes a pod that no worker runs. */
  #sync(namespace: string | undefined, name: string): void {
    const { store } = this.#cluster;
    const pod = store.get('pods', namespace, name);
    if (pod === undefined) return;
    const { nodeName } = podSpec(pod);
    if (nodeName === undefined) return;
    const worker = this.#workers.get(pod.metadata.uid);
    if (worker !== undefined) worker.changed(pod);
    else if (pod.metadata.deletionTimestamp !== undefined) store.remove('pods', namespace, name);
    else if (!this.#nodesDown.has(nodeName)) this.#begin(pod, nodeName);
  }

  #begin(pod: StoredObject, node: string): void {
    const { runtime, behaviors, registries, skewMsOf } = this.#settings;
    this.#addresses += 1;
    const { uid } = pod.metadata;
    const worker = new PodWorker(pod, {
      cluster: this.#cluster,
      runtime,
      behaviors,
      registries,
      skewMs: skewMsOf(node),
      hostIP: addressOf(this.#cluster.store.get('nodes', undefined, node)),
      podIP: `10.244.${Math.floor(this.#addresses / 250) % 250}.${(this.#addresses % 250) + 2}`,
      kubeletUp: () => !this.#nodesDown.has(node),
      onGone: () => this.#workers.delete(uid),
    });
    this.#workers.set(uid, worker);
    worker.begin();
  }
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
    const readiness = ready ? 'True' : 'Unknown';
    if (condition === undefined || condition.status === readiness) return false;
    condition.status = readiness;
    condition.reason = ready ? 'KubeletReady' : 'NodeStatusUnknown';
    condition.message = ready ? 'kubelet is posting ready status' : 'Kubelet stopped posting node status.';
    condition.lastTransitionTime = timeText(cluster.clock.now());
    return undefined;
  });
}
