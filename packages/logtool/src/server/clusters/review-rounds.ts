import type { AccessReview, KubeClient } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';

/** Maximum time that open streams outlive a withdrawn permission; an API server checks it only at the beginning. */
export const REVIEW_EVERY_MS = 60_000;

/** Reviews everything open each minute, while anything is open. */
export class ReviewRounds<T> {
  readonly #clock: Clock;
  readonly #review: (open: readonly T[], signal: AbortSignal) => Promise<unknown>;
  readonly #open = new Set<T>();
  #cancel: (() => void) | undefined;
  #round = new AbortController();

  /** `review` must never reject. */
  constructor(clock: Clock, review: (open: readonly T[], signal: AbortSignal) => Promise<unknown>) {
    this.#clock = clock;
    this.#review = review;
  }

  add(one: T): void {
    this.#open.add(one);
    this.#cancel ??= this.#schedule();
  }

  forget(one: T): void {
    this.#open.delete(one);
    if (this.#open.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#round.abort();
  }

  #schedule(): () => void {
    return this.#clock.after(REVIEW_EVERY_MS, () => {
      // Reviews without an answer for a minute give way to new ones.
      this.#round.abort();
      this.#round = new AbortController();
      this.#cancel = this.#schedule();
      void this.#review([...this.#open], this.#round.signal);
    });
  }
}

/** Whether the user has a permission; undefined: the cluster gave no verdict. */
export function verdictOn(
  client: KubeClient,
  review: AccessReview,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  // An outage withdraws nothing: the next round checks again.
  return client.review(review, { signal }).catch(() => undefined);
}

/** Groups items, in the order of each group's first item. */
export function groupsOf<T>(all: readonly T[], keyOf: (one: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return [...groups.values()];
}
