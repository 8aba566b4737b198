import { BUILTIN_RESOURCES, REPLICA_SETS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeErrorLike, ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { type OwnerRef, type PodFacts, readOwners } from '../pods/pod-facts.ts';

/** Above this number of owners of one kind, reads them with one list, and otherwise one by one. */
const LIST_ABOVE = 3;
/** Maximum depth of the owner chain: custom resource, Deployment, ReplicaSet, pod has three owners. */
const DEEPEST = 8;
/** Maximum number of owners to keep. A CronJob that is followed for weeks has thousands of Jobs. */
const KEPT = 20_000;

/** Tells which kinds may stand between a root and its pods. Other kinds are not requested. */
export type Between = (owner: OwnerRef) => boolean;

/** Receives the refusal if owners cannot be read. */
export type OnRefused = (owner: OwnerRef, error: KubeErrorLike) => void;

/**
 * Tracks who owns whom, by UID. Reads an owner (metadata only) when a pod names one that is not known yet. Reads each
 * once, because for this purpose an owner never changes its own owners.
 */
export class OwnerTree {
  readonly #client: KubeClient;
  readonly #signal: AbortSignal;
  readonly #owners = new Map<string, readonly OwnerRef[]>();
  #ahead: Promise<unknown> | undefined;
  /** By kind and namespace: one refusal is enough to know. */
  readonly #refusals = new Map<string, KubeErrorLike>();

  constructor(client: KubeClient, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /**
   * Begins to read the ReplicaSets that have the labels of a Deployment's pods, as the controller makes them, in
   * parallel with the pods. Owners that are not among them, or cannot be listed, are read one by one later.
   */
  readAhead(namespace: string | undefined, labelSelector: string): void {
    const reading = this.#list(REPLICA_SETS, namespace, labelSelector);
    // The caller that needs an owner asks again, and gets the error.
    this.#ahead = Promise.all([this.#ahead, reading.catch(() => undefined)]);
  }

  /** Reads the unknown owners of many pods with as few requests as possible. */
  async learn(pods: Iterable<PodFacts>, namespace: string | undefined, between: Between): Promise<void> {
    await this.#ahead;
    const unknown = new Map<string, Map<string, OwnerRef>>();
    for (const pod of pods) {
      for (const owner of pod.owners) {
        if (this.#owners.has(owner.uid) || !between(owner)) continue;
        const key = `${owner.apiVersion} ${owner.kind}`;
        const group = unknown.get(key) ?? new Map<string, OwnerRef>();
        unknown.set(key, group.set(owner.uid, owner));
      }
    }
    for (const group of unknown.values()) {
      const [first] = group.values();
      if (first === undefined || group.size <= LIST_ABOVE) continue;
      const type = await this.#typeOf(first);
      if (type !== undefined) await this.#list(type, namespace);
    }
  }

  /**
   * Returns whether one of the roots owns the pod, directly or through others. Reports an owner that may not be read to
   * `onRefused`, and treats it as having no owners.
   */
  async owns(
    roots: ReadonlyMap<string, unknown>,
    pod: PodFacts,
    between: Between,
    onRefused: OnRefused,
  ): Promise<boolean> {
    const seen = new Set<string>();
    let level: readonly OwnerRef[] = pod.owners;
    for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
      if (level.some((owner) => roots.has(owner.uid))) return true;
      const next: OwnerRef[] = [];
      for (const owner of level) {
        if (seen.has(owner.uid) || !between(owner)) continue;
        seen.add(owner.uid);
        next.push(...(await this.#ownersOf(owner, pod.namespace, onRefused)));
      }
      level = next;
    }
    return false;
  }

  async #ownersOf(owner: OwnerRef, namespace: string, onRefused: OnRefused): Promise<readonly OwnerRef[]> {
    const known = this.#owners.get(owner.uid);
    if (known !== undefined) return known;
    const type = await this.#typeOf(owner);
    if (type === undefined) return this.#keep(owner.uid, []);
    const right = `${owner.apiVersion} ${owner.kind} ${namespace}`;
    const refusal = this.#refusals.get(right);
    if (refusal !== undefined) {
      onRefused(owner, refusal);
      return [];
    }
    const ref = { namespace: type.namespaced ? namespace : undefined, name: owner.name };
    try {
      const { metadata } = await this.#client.getMetadata(type, ref, { signal: this.#signal });
      // If the name belongs to another object, the owner itself is gone.
      return this.#keep(owner.uid, metadata.uid === owner.uid ? readOwners(metadata.ownerReferences) : []);
    } catch (error) {
      if (isKubeError(error, 'not-found')) return this.#keep(owner.uid, []);
      if (!isKubeError(error, 'forbidden')) throw error;
      this.#refusals.set(right, error);
      onRefused(owner, error);
      return [];
    }
  }

  async #list(type: ResourceType, namespace: string | undefined, labelSelector?: string): Promise<void> {
    const query = { namespace: type.namespaced ? namespace : undefined, metadataOnly: true, labelSelector };
    try {
      for await (const page of this.#client.list(type, query, { signal: this.#signal })) {
        for (const { metadata } of page.items) this.#keep(metadata.uid, readOwners(metadata.ownerReferences));
      }
    } catch (error) {
      // Without permission to list, get may be allowed: read the owners one by one.
      if (!isKubeError(error, 'forbidden')) throw error;
    }
  }

  #keep(uid: string, owners: readonly OwnerRef[]): readonly OwnerRef[] {
    this.#owners.set(uid, owners);
    if (this.#owners.size > KEPT) {
      const [oldest] = this.#owners.keys();
      if (oldest !== undefined) this.#owners.delete(oldest);
    }
    return owners;
  }

  async #typeOf(owner: OwnerRef): Promise<ResourceType | undefined> {
    const slash = owner.apiVersion.indexOf('/');
    const group = slash === -1 ? '' : owner.apiVersion.slice(0, slash);
    const isIt = (type: ResourceType) => type.group === group && type.kind === owner.kind;
    return BUILTIN_RESOURCES.find(isIt) ?? (await this.#client.discover({ signal: this.#signal })).find(isIt);
  }
}
