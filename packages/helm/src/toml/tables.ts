import { plain, typed } from '../value/type.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { quotedKey } from './quote.ts';

const TABLES = '[]map[string]interface {}';

/** The table for the keys that follow. */
export type Path = readonly string[];

/**
 * The tables of a file, built from headers, dotted keys and values. Throws the error that `fail` makes of a problem.
 */
export class Tables {
  readonly root: ValueMap = new Map();
  /** The paths of tables without a header so far: one may follow. */
  readonly #implicit = new Set<string>();
  readonly #lists = new Set<string>();
  readonly #headers = new WeakSet<Value[]>();

  /**
   * Creates the table at the path, or appends one to the list of tables there; calls `reached` once the parent tables
   * exist.
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

  /** Like `open`, for the tables in a dotted key, and for a table value: later keys may add to it. */
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

  /** Returns the table that a name refers to: in a list, the last one. */
  #tableIn(value: Value): ValueMap | undefined {
    const inner = plain(value);
    if (inner instanceof Map) return inner;
    return Array.isArray(inner) && this.#headers.has(inner) ? (inner.at(-1) as ValueMap) : undefined;
  }
}

/** Formats a path for errors: `a."b c"`. */
export function pathText(path: Path): string {
  return path.map(quotedKey).join('.');
}
