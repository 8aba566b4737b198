import type { ContainerTarget } from '../../../domain/container.ts';
import { namesText } from '../../../messages/lists.ts';

const MAX_NAMED = 5;

/** Containers of the shown pods that are left out by default. */
export class HiddenContainers {
  readonly #shown = new Set<string>();
  /** By pod, since another source may ask for what this one leaves out. */
  readonly #hidden = new Map<string, readonly string[]>();
  readonly #byPod = new Map<string, Set<string>>();

  see({ podUid, container, hidden = [] }: ContainerTarget): void {
    this.#shown.add(container);
    const ofPod = this.#byPod.get(podUid) ?? new Set();
    this.#byPod.set(podUid, ofPod.add(container));
    if (hidden.length > 0) this.#hidden.set(podUid, hidden);
  }

  /** `showing container app; also: metrics (--all-containers)`; undefined if nothing is left out. */
  line(): string | undefined {
    const left = new Set<string>();
    for (const [podUid, names] of this.#hidden)
      for (const name of names) if (!this.#byPod.get(podUid)?.has(name)) left.add(name);
    if (left.size === 0) return undefined;
    const shown = `container${this.#shown.size === 1 ? '' : 's'} ${namesText([...this.#shown], MAX_NAMED)}`;
    return `showing ${shown}; also: ${namesText([...left], MAX_NAMED)} (--all-containers)`;
  }
}
