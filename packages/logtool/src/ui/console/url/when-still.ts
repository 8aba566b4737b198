interface WhenStillOptions<T> {
  readonly read: () => T;
  /** Takes a value that has been the same for that long. */
  readonly take: (value: T) => void;
  readonly stillMs: number;
  /** Calls back once after a time; returns what cancels it. */
  readonly afterMs: (ms: number, run: () => void) => () => void;
}

/**
 * Reads a value while it may change, and passes it on once it is still. Only a change of the value postpones that, not
 * how often `changed` is called: a log that lines stream into changes all the time, and the row that is read does not.
 */
export class WhenStill<T> {
  readonly #options: WhenStillOptions<T>;
  #seen: T | undefined;
  #cancel: (() => void) | undefined;

  constructor(options: WhenStillOptions<T>) {
    this.#options = options;
  }

  /** Notes that the value may have changed. */
  changed = (): void => {
    if (this.#cancel !== undefined) return;
    const { read, take, stillMs, afterMs } = this.#options;
    const value = read();
    this.#seen = value;
    this.#cancel = afterMs(stillMs, () => {
      this.#cancel = undefined;
      if (read() === this.#seen) take(value);
      else this.changed();
    });
  };

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
