import { plain, typed } from '../value/type.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { quotedKey } from './quote.ts';

const TABLES = '[]map[string]interface {}';

/** Where the keys that come next belong. */
export type Path = readonly string[];

/** The tables of a file, built from headers, dotted keys and values. Throws the texts of problems. */
export class Tables {
  readonly root: ValueMap = new Map();
  /** Tables that no header named yet, by their paths: one may come. */
  readonly #implicit = new Set<string>();
  readonly #lists = new Set<string>();
  readonly #headers = new WeakSet<Value[]>();

  /**
   * Makes the table at the path, or one more in the list of tables there; calls `reached` once the parent
   * tables exist.
   */
  open(path: Path, isList: boolean, fail: (problem: string) => Error, reached?: () => void): void {
    const above = path.slice(0, -1);
    let table = this.root;
    for (const [at, name] of above.entries()) {
      if (!table.has(name)) {
        this.#implicit.add(pathText(above.slice(0, at + 1)));
        table.set(name, new Map());
      }
      const inner = this.#tableIn(table.get(name)!);
      if (inner === undefined) {
        throw fail(`Key '${pathText(above.slice(0, at + 1))}' was already created as a hash.`);
      }
      table = inner;
    }
    reached?.();
    const last = path.at(-1)!;
    if (!isList) {
      this.set(above, last, new Map(), fail);
      return;
    }
    const list = table.get(last) ?? this.#newList();
    if (!Array.isArray(list) || !this.#headers.has(list)) {
      throw fail(`Key '${pathText(path)}' was already created and cannot be used as an array.`);
    }
    list.push(new Map());
    table.set(last, list);
  }

  /**
   * As `open`, for the tables that a dotted key passes, and for a table that is a value: others may add to
   * it.
   */
  openImplicit(path: Path, isList: boolean, fail: (problem: string) => Error, reached?: () => void): void {
    this.#implicit.add(pathText(path));
    this.open(path, isList, fail, reached);
  }

  markList(path: Path): void {
    this.#lists.add(pathText(path));
  }

  set(above: Path, key: string, value: Value, fail: (problem: string) => Error): void {
    let table = this.root;
    for (const [at, name] of above.entries()) {
      const inner = this.#tableIn(table.get(name) ?? null);
      if (inner === undefined)
        throw fail(`Key '${pathText(above.slice(0, at + 1))}' has already been defined.`);
      table = inner;
    }
    const path = pathText([...above, key]);
    if (table.has(key)) {
      if (!this.#implicit.delete(path)) throw fail(`Key '${path}' has already been defined.`);
      if (!this.#lists.has(path)) return;
    }
    table.set(key, value);
  }

  #newList(): Value[] {
    const list = typed<Value[]>([], TABLES);
    this.#headers.add(list);
    return list;
  }

  /** The table that is meant: of a list the one that was opened last. */
  #tableIn(value: Value): ValueMap | undefined {
    const inner = plain(value);
    if (inner instanceof Map) return inner;
    return Array.isArray(inner) && this.#headers.has(inner) ? (inner.at(-1) as ValueMap) : undefined;
  }
}

/** A path as errors write it: `a."b c"`. */
export function pathText(path: Path): string {
  return path.map(quotedKey).join('.');
}
