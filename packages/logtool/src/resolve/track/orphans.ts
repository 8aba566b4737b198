import type { PodFacts } from '../pods/pod-facts.ts';

/**
 * Remembers pods that lost their owner while they were followed. Users often delete a StatefulSet with --cascade=orphan
 * and create it again with other fields. Its pods keep running, belong to nothing for a while, and the new one adopts
 * them. If they were dropped meanwhile, their logs would start over. A pod that a controller releases because of its
 * labels has different labels.
 */
export class Orphans {
  readonly #labels = new Map<string, string>();

  /** Returns whether a pod counts: it is owned, or it was, and an owner with the same selector would own it again. */
  counts(pod: PodFacts, owned: boolean): boolean {
    const labels = JSON.stringify([...pod.labels]);
    if (owned) this.#labels.set(pod.uid, labels);
    else if (pod.owners.length > 0 || this.#labels.get(pod.uid) !== labels) this.#labels.delete(pod.uid);
    return this.#labels.has(pod.uid);
  }

  forget(uid: string): void {
    this.#labels.delete(uid);
  }

  /** Forgets all pods but these, by UID. */
  retain(pods: ReadonlyMap<string, unknown>): void {
    for (const uid of this.#labels.keys()) if (!pods.has(uid)) this.#labels.delete(uid);
  }
}
