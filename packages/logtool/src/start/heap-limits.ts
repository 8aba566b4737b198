type SetFlag = (flag: string) => void;

/**
 * Versions of V8 that are known to accept the flags (Node 20 to 24): V8 prints a message about an unknown
 * flag on stderr.
 */
const OLDEST_V8 = 11;
const NEWEST_V8 = 13;
/** A run that ends sooner needs no limit, and must not wait for one. */
const START_AFTER_MS = 60;

/** The flags as set, and V8's defaults. */
const FLAGS = [
  // The young generation keeps its size, instead of growing to 32 MB and more.
  { limited: '--semi-space-growth-factor=1', usual: '--semi-space-growth-factor=2' },
  // Between two collections the old one grows by a seventh of what is in use, and not to a multiple of it.
  { limited: '--heap-growing-percent=15', usual: '--heap-growing-percent=0' },
] as const;
/** The old generation may grow by 2 MB between two collections however small it is, and not by 8. Takes more time. */
const NARROW = { limited: '--optimize-for-size', usual: '--no-optimize-for-size' };
/** From so much on, memory is worth more than time; a log of any length that goes through stays below. */
const MUCH_BYTES = 80 * 1024 * 1024;
const SAMPLE_MS = 200;

/**
 * Makes V8 collect garbage sooner: a log passes through in small pieces that are used up at once, so room for
 * more is wasted memory. Compiled code, including Node's own, fits only one set of flags; so while something
 * is compiled, the flags are V8's defaults.
 */
export class HeapLimits {
  readonly #load: () => SetFlag;
  readonly #residentBytes: () => number;
  #flags: readonly { readonly limited: string; readonly usual: string }[] = FLAGS;
  #setFlag: SetFlag | undefined;
  #compiling = 0;

  constructor(
    load: () => SetFlag = () => process.getBuiltinModule('node:v8').setFlagsFromString,
    residentBytes: () => number = () => process.memoryUsage.rss(),
  ) {
    this.#load = load;
    this.#residentBytes = residentBytes;
  }

  /** Limits the heap soon, if this V8 supports it. */
  start(v8Version = process.versions.v8): void {
    const major = Number.parseInt(v8Version, 10);
    if (!(major >= OLDEST_V8 && major <= NEWEST_V8)) return;
    setTimeout(() => {
      this.#setFlag = this.#load();
      if (this.#compiling === 0) this.#set('limited');
      this.#narrowWhenMuch();
    }, START_AFTER_MS).unref();
  }

  #narrowWhenMuch(): void {
    const poll = setInterval(() => {
      if (this.#compiling > 0 || this.#resident() < MUCH_BYTES) return;
      clearInterval(poll);
      this.#flags = [...FLAGS, NARROW];
      this.#set('limited');
    }, SAMPLE_MS).unref();
  }

  /** None if it is unknown: without /proc. */
  #resident(): number {
    try {
      return this.#residentBytes();
    } catch {
      return 0;
    }
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
    for (const { [which]: flag } of this.#flags) this.#setFlag?.(flag);
  }
}
