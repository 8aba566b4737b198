import type { ContainerRuntime } from '../../kubelet/runtime.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { nodeReachable, nodeUnreachable } from '../nodes/node-lifecycle.ts';
import { kubeletEvent } from '../nodes/node-status.ts';
import { podSpec } from '../objects.ts';
import { podsOn } from '../related.ts';
import type { Behaviors } from './behaviors.ts';
import { PodWorker } from './pod-worker.ts';
import type { Registries } from './registries.ts';
import type { NetworkFault } from './sandboxes.ts';
import type { VolumeFault } from './volume-mounts.ts';

/** How long a kubelet may be silent before its node counts as not ready. */
const NODE_GRACE_MS = 40_000;

/** The kubelets of all nodes: a worker for each scheduled pod. */
export interface Kubelets {
  worker(podUid: string): PodWorker | undefined;
  workers(): readonly PodWorker[];
  down(node: string): void;
  up(node: string): void;
  /** Cuts a node's power: its kubelet and all its processes stop. */
  lose(node: string): void;
  /** Boots a node, which creates the containers of its pods again. */
  boot(node: string): void;
  /** Ends the history: from now on, each line is written at its own time. */
  goLive(): Promise<void>;
}

export interface KubeletSettings {
  readonly runtime: ContainerRuntime;
  readonly behaviors: Behaviors;
  readonly registries: Registries;
  readonly volumeFaults: readonly VolumeFault[];
  readonly networkFaults: readonly NetworkFault[];
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
      if (this.#nodesDown.has(node)) nodeUnreachable(this.#cluster, node);
    });
  }

  lose(node: string): void {
    this.down(node);
    for (const worker of this.#workersOn(node)) for (const container of worker.containers) container.freeze();
  }

  boot(node: string): void {
    const { store, random, clock } = this.#cluster;
    const bootID = random('boot', node, clock.now()).uuid();
    const booted = store.update('nodes', undefined, node, (object) => {
      const { nodeInfo } = object.status as { nodeInfo?: object };
      object.status = { ...object.status, nodeInfo: { ...nodeInfo, bootID } };
      return undefined;
    });
    this.#nodesDown.delete(node);
    if (booted !== undefined) {
      kubeletEvent(this.#cluster, booted, ['Normal', 'Starting', 'Starting kubelet.']);
      const message = `Node ${node} has been rebooted, boot id: ${bootID}`;
      kubeletEvent(this.#cluster, booted, ['Warning', 'Rebooted', message]);
    }
    for (const worker of this.#workersOn(node)) worker.rebooted();
    this.up(node);
  }

  #workersOn(node: string): readonly PodWorker[] {
    return podsOn(this.#cluster.store, node).flatMap(({ metadata }) => this.#workers.get(metadata.uid) ?? []);
  }

  up(node: string): void {
    this.#nodesDown.delete(node);
    this.#settings.runtime.kubeletUp(node);
    nodeReachable(this.#cluster, node);
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
    const { runtime, behaviors, registries, volumeFaults, networkFaults } = this.#settings;
    this.#addresses += 1;
    const { uid } = pod.metadata;
    const worker = new PodWorker(pod, {
      cluster: this.#cluster,
      runtime,
      behaviors,
      registries,
      volumeFaults,
      networkFaults,
      skewMs: this.#cluster.skewMsOf(node),
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
