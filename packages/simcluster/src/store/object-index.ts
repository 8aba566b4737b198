import { ObjectTable } from './object-table.ts';
import type { KeysOf, StoredObject } from './store.ts';

/** Objects by a property (their owner, their node...) instead of by name. */
export class ObjectIndex {
  readonly #keysOf: KeysOf;
  readonly #groups = new Map<string, ObjectTable>();

  constructor(keysOf: KeysOf, objects: Iterable<StoredObject>) {
    this.#keysOf = keysOf;
    for (const object of objects) this.change(undefined, object);
  }

  /** One object changed: it came (no `before`), it went (no `after`), or it is another now. */
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

  /** In the order of namespace and name. */
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

/** Names hold no slash, so places sort by namespace first, as etcd's keys do. */
export function keyOf(object: StoredObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}
