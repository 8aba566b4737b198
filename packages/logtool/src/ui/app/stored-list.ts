const PREFIX = 'logtool.';

interface StoredListOptions<T> {
  /** Of the browser's storage, after `logtool.` */
  readonly name: string;
  /** Whether a value from the storage, which may be of another version or broken, is an entry. */
  readonly isEntry: (value: unknown) => value is T;
  /** Entries that are kept at most. */
  readonly most: number;
}

/** A list that is kept in this browser only. Where its storage is full or forbidden, nothing is kept. */
export class StoredList<T> {
  readonly #options: StoredListOptions<T>;
  readonly #listeners = new Set<() => void>();
  #text = '';
  #entries: readonly T[] = [];

  constructor(options: StoredListOptions<T>) {
    this.#options = options;
  }

  /** The entries; the same list until they change. */
  read(): readonly T[] {
    let text = '';
    try {
      text = localStorage.getItem(this.#key) ?? '';
    } catch {
      // Forbidden: nothing was kept.
    }
    if (text !== this.#text) {
      this.#text = text;
      this.#entries = this.parse(text);
    }
    return this.#entries;
  }

  /** Keeps these, the first ones if they are too many. */
  write(entries: readonly T[]): void {
    try {
      localStorage.setItem(this.#key, JSON.stringify(entries.slice(0, this.#options.most)));
    } catch {
      // Full or forbidden: the list stays as it was, and shows so.
    }
    for (const listener of this.#listeners) listener();
  }

  /** Entries from the storage; none if it is not a list, and without invalid ones. */
  parse(text: string): readonly T[] {
    try {
      const values: unknown = JSON.parse(text);
      return Array.isArray(values) ? values.filter(this.#options.isEntry) : [];
    } catch {
      return [];
    }
  }

  /** Calls back when the list changes, in other tabs too; the returned function ends that. */
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

/** What is kept for each context: the one that was written last is first. */
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
