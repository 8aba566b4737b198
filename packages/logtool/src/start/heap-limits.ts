type SetFlag = (flag: string) => void;

/** What the limits need of V8. */
interface Engine {
  load(): SetFlag;
  /** Memory of the process, bytes. @throws if it is unknown */
  residentBytes(): number;
  /** What is in use of the old generation, bytes. */
  oldBytes(): number;
  /** Collects all garbage, at once. */
  collect(): void;
}

/** The V8 of this process. */
export const v8Engine: Engine = {
  load: () => process.getBuiltinModule('node:v8').setFlagsFromString,
  residentBytes: () => process.memoryUsage.rss(),
  oldBytes: () =>
    process
      .getBuiltinModule('node:v8')
      .getHeapSpaceStatistics()
      .reduce(
        (sum, { space_name: name, space_used_size: used }) => sum + (name.startsWith('new_') ? 0 : used),
        0,
      ),
  collect() {
    const { setFlagsFromString } = process.getBuiltinModule('node:v8');
    setFlagsFromString('--expose-gc');
    // Only a context that is made now has the function.
    const collect: () => void = process.getBuiltinModule('node:vm').runInNewContext('gc');
    setFlagsFromString('--no-expose-gc');
    collect();
  },
};

/**
 * V8 versions that are known to accept the flags (Node 20 to 24). V8 prints a message about an unknown flag on stderr.
 */
const OLDEST_V8 = 11;
const NEWEST_V8 = 13;
/** The value that is set, and V8's default. */
interface Flag {
  readonly limited: string;
  readonly usual: string;
}

const FLAGS: readonly Flag[] = [
  // The young generation keeps its size, instead of growing to 32 MB and more.
  { limited: '--semi-space-growth-factor=1', usual: '--semi-space-growth-factor=2' },
  // Between two collections, the old generation grows by a seventh of what is in use, not to a multiple of it.
  { limited: '--heap-growing-percent=15', usual: '--heap-growing-percent=0' },
];
/** Between two collections, a small old generation may grow by 2 MB instead of 8. Takes more time. */
const NARROW: readonly Flag[] = [{ limited: '--optimize-for-size', usual: '--no-optimize-for-size' }];
/** Above this size, memory matters more than time. A log of any length that passes through stays below. */
const MUCH_BYTES = 80 * 1024 * 1024;
const SAMPLE_MS = 200;

/**
 * Makes V8 collect garbage sooner: a log passes through in small pieces that are used up at once, so room for more is
 * wasted memory.
 * Compiled code fits only the flags that it was compiled with. The program's own code is compiled with the limits from
 * the start. Node's code was compiled with V8's defaults when Node was built, so the defaults apply while a module of
 * Node loads. Keep that short and early: a collection during it lets the heap grow to a multiple before the next one.
 */
export class HeapLimits {
  readonly #engine: Engine;
  #setFlag: SetFlag | undefined;
  #isNarrow = false;

  constructor(engine: Engine = v8Engine) {
    this.#engine = engine;
  }

  /** Limits the heap, if this V8 supports it. Call it before any code of the program is compiled. */
  start(v8Version = process.versions.v8): void {
    const major = Number.parseInt(v8Version, 10);
    if (!(major >= OLDEST_V8 && major <= NEWEST_V8)) return;
    this.#setFlag = this.#engine.load();
    this.#set(FLAGS, 'limited');
    this.#narrowWhenMuch();
  }

  #narrowWhenMuch(): void {
    const poll = setInterval(() => {
      if (this.#resident() < MUCH_BYTES) return;
      clearInterval(poll);
      this.#isNarrow = true;
      this.#set(NARROW, 'limited');
    }, SAMPLE_MS).unref();
  }

  /** Returns 0 if the size is unknown: without /proc. */
  #resident(): number {
    try {
      return this.#engine.residentBytes();
    } catch {
      return 0;
    }
  }

  /** Runs an action that compiles code of the program, or reads or makes compiled code. */
  compiling<T>(action: () => T): T {
    return this.#without(this.#isNarrow ? NARROW : [], action);
  }

  /**
   * Runs an action that loads a module of Node. A collection sets how far the heap grows until the next one, so one that
   * fell into the loading is repeated under the limits: else the heap grows to a multiple (34 MiB were seen).
   */
  loadingOfNode<T>(action: () => T): T {
    if (this.#setFlag === undefined) return action();
    const before = this.#engine.oldBytes();
    try {
      return this.#without(this.#isNarrow ? [...FLAGS, ...NARROW] : FLAGS, action);
    } finally {
      // Only a collection of the old generation makes it smaller.
      if (this.#engine.oldBytes() < before) this.#engine.collect();
    }
  }

  #without<T>(flags: readonly Flag[], action: () => T): T {
    this.#set(flags, 'usual');
    try {
      return action();
    } finally {
      this.#set(flags, 'limited');
    }
  }

  #set(flags: readonly Flag[], which: keyof Flag): void {
    for (const { [which]: flag } of flags) this.#setFlag?.(flag);
  }
}
