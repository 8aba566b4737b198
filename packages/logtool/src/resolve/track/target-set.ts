import type { ContainerTarget } from '../../domain/container.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';

/** A requester of containers: one source in one place. Compared by identity. */
export type Claimant = object;

/** Receives the source arguments that request a container, in the order in which they came. */
export type OnClaims = (id: string, given: readonly string[]) => void;

interface Entry {
  target: ContainerTarget;
  /** With the arguments of each request. */
  readonly claimants: Map<Claimant, readonly string[]>;
}

/**
 * The union of all sources' containers. Reports a container that several sources request once, and removes it when the
 * last one drops it. Reports nothing before `start`.
 */
export class TargetSet {
  readonly #entries = new Map<string, Entry>();
  readonly #claims = new Map<Claimant, Map<string, readonly string[]>>();
  readonly #listener: (event: ResolveEvent) => void;
  readonly #onClaims: OnClaims | undefined;
  #started = false;

  constructor(listener: (event: ResolveEvent) => void, onClaims?: OnClaims) {
    this.#listener = listener;
    this.#onClaims = onClaims;
  }

  /** Reports what exists, by namespace and pod, and then every change. */
  start(): void {
    this.#started = true;
    const targets = [...this.#entries.values()].map((entry) => entry.target);
    targets.sort((a, b) => compareTexts(a.namespace, b.namespace) || compareTexts(a.pod, b.pod));
    for (const target of targets) this.#emit({ type: 'added', target });
  }

  /** Sets the exact containers of that pod that the claimant requests, with its source arguments for each. */
  put(
    claimant: Claimant,
    podUid: string,
    targets: readonly ContainerTarget[],
    given: (target: ContainerTarget) => readonly string[] = () => [],
  ): void {
    const byPod = this.#claims.get(claimant) ?? new Map<string, readonly string[]>();
    this.#claims.set(claimant, byPod);
    const before = byPod.get(podUid) ?? [];
    const ids = targets.map((target) => target.id);
    if (ids.length === 0) byPod.delete(podUid);
    else byPod.set(podUid, ids);
    for (const target of targets) this.#hold(claimant, target, given(target));
    for (const id of before) if (!ids.includes(id)) this.#release(claimant, id);
  }

  /** Drops the pod, which is no longer requested. `last` gives the final states if the pod was deleted with some. */
  drop(claimant: Claimant, podUid: string, last: readonly ContainerTarget[] = []): void {
    const byPod = this.#claims.get(claimant);
    const ids = byPod?.get(podUid) ?? [];
    byPod?.delete(podUid);
    for (const id of ids) {
      const entry = this.#entries.get(id);
      const final = last.find((target) => target.id === id);
      if (entry !== undefined && final !== undefined) entry.target = final;
      this.#release(claimant, id);
    }
  }

  /** Returns the pods with containers of the claimant. */
  podsOf(claimant: Claimant): readonly string[] {
    return [...(this.#claims.get(claimant)?.keys() ?? [])];
  }

  /** Returns whether the claimant holds any container of the pod. */
  holds(claimant: Claimant, podUid: string): boolean {
    return this.#claims.get(claimant)?.has(podUid) ?? false;
  }

  /** Returns the ids of the containers of the pod that the claimant holds. */
  idsOf(claimant: Claimant, podUid: string): readonly string[] {
    return this.#claims.get(claimant)?.get(podUid) ?? [];
  }

  #emit(event: ResolveEvent): void {
    if (this.#started) this.#listener(event);
  }

  #hold(claimant: Claimant, target: ContainerTarget, given: readonly string[]): void {
    const entry = this.#entries.get(target.id);
    if (entry === undefined) {
      this.#entries.set(target.id, { target, claimants: new Map([[claimant, given]]) });
      this.#onClaims?.(target.id, given);
      this.#emit({ type: 'added', target });
      return;
    }
    const before = entry.claimants.get(claimant);
    entry.claimants.set(claimant, given);
    if (before?.join('\n') !== given.join('\n')) this.#reportClaims(target.id, entry);
    // Keep the workload of a pod that has lost its owner: that owner still created it.
    const next = { ...target, workload: target.workload ?? entry.target.workload };
    if (JSON.stringify(entry.target) === JSON.stringify(next)) return;
    entry.target = next;
    this.#emit({ type: 'changed', target: next });
  }

  #reportClaims(id: string, { claimants }: Entry): void {
    this.#onClaims?.(id, [...new Set([...claimants.values()].flat())]);
  }

  #release(claimant: Claimant, id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || !entry.claimants.delete(claimant)) return;
    this.#reportClaims(id, entry);
    if (entry.claimants.size > 0) return;
    this.#entries.delete(id);
    this.#emit({ type: 'gone', target: entry.target });
  }
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
