/** Items by owner, the oldest first. */
export class Groups<T> {
  readonly #groups = new Map<string, Set<T>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Adds an item; returns the new size of its group. */
  add(key: string, item: T): number {
    const group = this.#groups.get(key) ?? new Set();
    if (!group.has(item)) this.#count++;
    this.#groups.set(key, group.add(item));
    return group.size;
  }

  delete(key: string, item: T): void {
    const group = this.#groups.get(key);
    if (group?.delete(item) !== true) return;
    this.#count--;
    if (group.size === 0) this.#groups.delete(key);
  }

  of(key: string): ReadonlySet<T> {
    return this.#groups.get(key) ?? new Set();
  }

  /** Returns the largest group; an empty one if there are no groups. */
  largest(): ReadonlySet<T> {
    let largest: ReadonlySet<T> = new Set();
    for (const group of this.#groups.values()) if (group.size > largest.size) largest = group;
    return largest;
  }
}
