type SetFlag = (flag: string) => void;

/** Versions of V8 that are known to take the flags (Node 20 to 24): an unknown flag is told to the person on stderr. */
const OLDEST_V8 = 11;
const NEWEST_V8 = 13;
/** What ends sooner needs no limit, and is not to wait for one. */
const AFTER_MS = 60;

/** With the values that V8 has for them by itself. */
const FLAGS = [
  // The young generation stays as large as it is, instead of growing to 32 MB and more.
  { name: '--semi-space-growth-factor', limited: 1, usual: 2 },
  // Between two collections the old one grows by a seventh of what is in use, and not to a multiple of it.
  { name: '--heap-growing-percent', limited: 15, usual: 0 },
] as const;

/**
 * Makes V8 collect garbage sooner: a log goes through in small pieces that are used up at once, so that room for more
 * is memory for nothing. Compiled code, Node's own too, is good for one set of flags alone; so while something is
 * compiled the flags are as V8 has them by itself.
 */
export class HeapLimits {
  readonly #load: () => SetFlag;
  #setFlag: SetFlag | undefined;
  #compiling = 0;

  constructor(load: () => SetFlag = () => process.getBuiltinModule('node:v8').setFlagsFromString) {
    this.#load = load;
  }

  /** Limits the heap soon, where V8 is one that can be told to. */
  start(v8Version = process.versions.v8): void {
    const major = Number.parseInt(v8Version, 10);
    if (!(major >= OLDEST_V8 && major <= NEWEST_V8)) return;
    setTimeout(() => {
      this.#setFlag = this.#load();
      if (this.#compiling === 0) this.#set('limited');
    }, AFTER_MS).unref();
  }

  /** Runs what compiles, or reads or makes compiled code. */
  compiling<T>(action: () => T): T {
    if (this.#compiling++ === 0) this.#set('usual');
    try {
      return action();
    } finally {
      if (--this.#compiling === 0) this.#set('limited');
    }
  }

  #set(which: 'limited' | 'usual'): void {
    for (const { name, [which]: value } of FLAGS) this.#setFlag?.(`${name}=${value}`);
  }
}
