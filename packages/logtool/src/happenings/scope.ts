import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { FactSubject } from '../domain/facts/fact.ts';
import { listOf, textOf } from '../resolve/pods/read-json.ts';
import type { Made } from './facts-of-event.ts';
import { timeOf } from './facts-of-pod.ts';
import { OwnerNames } from './pod-names.ts';

type Json = Readonly<Record<string, unknown>>;

/** The objects in view: an event matters if it is about one of them. */
export class Scope {
  /** UIDs of pods and their owners. */
  readonly #uids = new Set<string>();
  /** `kind namespace/name` of pods in view, and of pods and Jobs that controllers in view created, also deleted ones. */
  readonly #made = new Set<string>();
  /** Owners in view: their pods that are gone are known by name, because events about pods name no owner. */
  readonly #owners = new OwnerNames();
  readonly #claims = new Set<string>();
  /** `kind namespace/name` of workloads, as an autoscaler names its target. */
  readonly #workloads = new Set<string>();
  /** When the first pod in view on each node was created, by node. */
  readonly nodes = new Map<string, Timestamp>();
  readonly namespaces = new Set<string>();
  /**
   * The only namespaces whose contents the user may see, and then no nodes, because these have no namespace;
   * undefined means all.
   */
  readonly #confinedTo: readonly string[] | undefined;
  #size = 0;

  /** All pods of its namespaces are in view. */
  readonly hasAllPods: boolean;

  constructor(confinedTo?: readonly string[], hasAllPods = false) {
    this.#confinedTo = confinedTo;
    this.hasAllPods = hasAllPods;
  }

  /** Whether facts about nodes are omitted. */
  get isConfined(): boolean {
    return this.#confinedTo !== undefined;
  }

  /** Whether an object may be in view. */
  allows({ metadata: { namespace } }: KubeObject): boolean {
    if (this.#confinedTo === undefined) return true;
    return namespace !== undefined && this.#confinedTo.includes(namespace);
  }

  /** Grows whenever the scope does. */
  get size(): number {
    return this.#size;
  }

  addPod(pod: KubeObject): void {
    const { metadata, spec: given } = pod as KubeObject & Json;
    const namespace = metadata.namespace ?? '';
    const spec = asRecord(given);
    this.#add(this.#uids, metadata.uid);
    // A StatefulSet, or a person, gives the name of a pod that is gone to another.
    this.#add(this.#made, `Pod ${namespace}/${metadata.name}`);
    this.namespaces.add(namespace);
    for (const volume of listOf(spec?.volumes)) {
      const claim = textOf(asRecord(volume.persistentVolumeClaim)?.claimName);
      if (claim !== undefined) this.#add(this.#claims, `${namespace}/${claim}`);
    }
    const node = this.isConfined ? undefined : textOf(spec?.nodeName);
    const createdAt = timeOf(metadata.creationTimestamp) ?? { seconds: 0, nanos: 0 };
    const known = node === undefined ? undefined : this.nodes.get(node);
    if (node === undefined || (known !== undefined && compareTimestamps(known, createdAt) <= 0)) return;
    if (known === undefined) this.#size++;
    this.nodes.set(node, createdAt);
  }

  addWorkload(kind: string, { metadata }: KubeObject): void {
    this.#add(this.#uids, metadata.uid);
    this.#add(this.#workloads, `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
    if (metadata.namespace !== undefined) this.namespaces.add(metadata.namespace);
  }

  /** Adds namespaces without knowing what is in them. */
  addNamespaces(namespaces: readonly string[]): void {
    for (const namespace of namespaces)
      if (this.#confinedTo?.includes(namespace) !== false) this.namespaces.add(namespace);
  }

  /** Adds an object of which only the UID is known or matters. */
  addUid(uid: string): void {
    this.#add(this.#uids, uid);
  }

  /** Adds an owner all of whose pods, or Jobs, are in view, also those that are gone. */
  addOwner(kind: string, namespace: string, name: string): void {
    if (this.#owners.add(kind, namespace, name)) this.#size++;
  }

  /** Adds what a controller in view created, scaled or deleted. */
  addMade({ kind, namespace, name }: FactSubject, made: Made): void {
    this.#add(this.#made, `${made.kind} ${namespace}/${made.name}`);
    // Its Deployment may have removed a ReplicaSet since.
    const isNamed = made.kind === 'ReplicaSet' && this.#owners.has(kind, namespace, name);
    if (isNamed) this.addOwner(made.kind, namespace, made.name);
  }

  hasWorkload(kind: string, namespace: string, name: string): boolean {
    return this.#workloads.has(`${kind} ${namespace}/${name}`);
  }

  has({ kind, namespace, name, uid }: FactSubject): boolean {
    if (this.#uids.has(uid)) return true;
    // The kubelet gives the name of its node as UID (pkg/kubelet/kubelet.go, nodeRef), other controllers the
    // real one.
    if (kind === 'Node') return this.nodes.has(name);
    if (kind === 'PersistentVolumeClaim') return this.#claims.has(`${namespace}/${name}`);
    return this.#made.has(`${kind} ${namespace}/${name}`) || this.#owners.match(kind, namespace, name);
  }

  #add(set: Set<string>, value: string): void {
    if (set.has(value)) return;
    set.add(value);
    this.#size++;
  }
}
