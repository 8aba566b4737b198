import { ObjectTable } from './object-table.ts';
import type { KeysOf, StoredObject } from './store.ts';

/** Finds objects by a property (their owner, their node...) instead of by name. */
export class ObjectIndex {
  readonly #keysOf: KeysOf;
  readonly #groups = new Map<string, ObjectTable>();

  constructor(keysOf: KeysOf, objects: Iterable<StoredObject>) {
    this.#keysOf = keysOf;
    for (const object of objects) this.change(undefined, object);
  }

  /** Notes a change of one object: created (no `before`), deleted (no `after`), or modified. */
  change(before: StoredObject | undefined, after: StoredObject | undefined): void {
    const own = keyOf((after ?? before) as StoredObject);
    const keys = after === undefined ? [] : this.#keysOf(after);
    if (before !== undefined) {
      for (const key of this.#keysOf(before)) if (!keys.includes(key)) this.#remove(key, own);
    }
    if (after === undefined) return;
    for (const key of keys) {
      let group = this.#groups.get(key);
      if (group === undefined) {
        group = new ObjectTable();
        this.#groups.set(key, group);
      }
      group.set(own, after);
    }
  }

  /** Returns objects ordered by namespace and name. */
  of(key: string): readonly StoredObject[] {
    return this.#groups.get(key)?.list() ?? [];
  }

  count(key: string): number {
    return this.#groups.get(key)?.size ?? 0;
  }

  #remove(key: string, own: string): void {
    const group = this.#groups.get(key);
    group?.delete(own);
    if (group?.size === 0) this.#groups.delete(key);
  }
}

/** Returns the key of an object. Names contain no slash, so keys sort by namespace first, as etcd's do. */
export function keyOf(object: StoredObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}
