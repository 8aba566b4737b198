import type { StoredObject } from './store.ts';

/** Objects by key, listed in key order. A returned list never changes. */
export class ObjectTable {
  readonly #objects = new Map<string, StoredObject>();
  /** Keys in order; undefined after a key was added or removed. */
  #keys: readonly string[] | undefined;
  /** Objects in that order; undefined after any change. */
  #sorted: readonly StoredObject[] | undefined;

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  set(key: string, object: StoredObject): void {
    const { size } = this.#objects;
    this.#objects.set(key, object);
    this.#sorted = undefined;
    if (this.#objects.size !== size) this.#keys = undefined;
  }

  delete(key: string): void {
    if (!this.#objects.delete(key)) return;
    this.#sorted = undefined;
    this.#keys = undefined;
  }

  list(): readonly StoredObject[] {
    this.#keys ??= [...this.#objects.keys()].sort();
    this.#sorted ??= this.#keys.map((key) => this.#objects.get(key) as StoredObject);
    return this.#sorted;
  }
}
