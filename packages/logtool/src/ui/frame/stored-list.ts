const PREFIX = 'logtool.';

interface StoredListOptions<T> {
  /** Key in the browser's storage, after `logtool.` */
  readonly name: string;
  /** Whether a value from the storage is a valid entry; it may be broken or from another version. */
  readonly isEntry: (value: unknown) => value is T;
  /** Maximum number of entries kept. */
  readonly most: number;
}

/** A list kept only in this browser. If its storage is full or forbidden, nothing is kept. */
export class StoredList<T> {
  readonly #options: StoredListOptions<T>;
  readonly #listeners = new Set<() => void>();
  #text = '';
  #entries: readonly T[] = [];

  constructor(options: StoredListOptions<T>) {
    this.#options = options;
  }

  /** Returns the entries; the same array until they change. */
  read(): readonly T[] {
    let text = '';
    try {
      text = localStorage.getItem(this.#key) ?? '';
    } catch {
      // Storage is forbidden: there are no entries.
    }
    if (text !== this.#text) {
      this.#text = text;
      this.#entries = this.parse(text);
    }
    return this.#entries;
  }

  /** Stores the entries, only the first ones if there are too many. */
  write(entries: readonly T[]): void {
    try {
      localStorage.setItem(this.#key, JSON.stringify(entries.slice(0, this.#options.most)));
    } catch {
      // Storage is full or forbidden: the list does not change, and the page shows it unchanged.
    }
    for (const listener of this.#listeners) listener();
  }

  /** Parses entries from the storage; drops invalid ones, and returns none if the text is not a list. */
  parse(text: string): readonly T[] {
    try {
      const values: unknown = JSON.parse(text);
      return Array.isArray(values) ? values.filter(this.#options.isEntry) : [];
    } catch {
      return [];
    }
  }

  /** Calls back when the list changes, also in other tabs; the returned function unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const fromOtherTab = ({ key }: StorageEvent) => {
      if (key === null || key === this.#key) listener();
    };
    this.#listeners.add(listener);
    addEventListener('storage', fromOtherTab);
    return () => {
      this.#listeners.delete(listener);
      removeEventListener('storage', fromOtherTab);
    };
  };

  get #key(): string {
    return `${PREFIX}${this.#options.name}`;
  }
}

/** One value per context; the most recently written one is first. */
export class StoredByContext<V> {
  readonly list: StoredList<readonly [context: string, value: V]>;

  constructor(name: string, isValue: (value: unknown) => value is V) {
    this.list = new StoredList({
      name,
      most: MAX_CONTEXTS,
      isEntry: (value): value is readonly [string, V] =>
        Array.isArray(value) && typeof value[0] === 'string' && isValue(value[1]),
    });
  }

  of(context: string | undefined): V | undefined {
    return this.list.read().find(([name]) => name === context)?.[1];
  }

  set(context: string, value: V): void {
    const others = this.list.read().filter(([name]) => name !== context);
    this.list.write([[context, value], ...others]);
  }
}

const MAX_CONTEXTS = 20;
