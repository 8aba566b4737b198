import type { Clock } from '../../domain/clock.ts';

/** How long items wait for others of the same cause, in ms. */
interface BatchTimes {
  /** After each item. */
  readonly togetherMs: number;
  /** In all. */
  readonly maxMs: number;
}

/** Holds items back for a moment, and then reports those of one cause together, in the order in which they came. */
export class Batch<T> {
  readonly #clock: Clock;
  readonly #times: BatchTimes;
  readonly #causeOf: (item: T) => string;
  readonly #report: (items: readonly [T, ...T[]]) => Promise<void>;
  #held: T[] = [];
  #sinceMs = 0;
  #cancel: (() => void) | undefined;

  constructor(
    clock: Clock,
    times: BatchTimes,
    causeOf: (item: T) => string,
    report: (items: readonly [T, ...T[]]) => Promise<void>,
  ) {
    this.#clock = clock;
    this.#times = times;
    this.#causeOf = causeOf;
    this.#report = report;
  }

  hold(item: T): void {
    const { togetherMs, maxMs } = this.#times;
    const nowMs = this.#clock.steady();
    if (this.#held.length === 0) this.#sinceMs = nowMs;
    this.#held.push(item);
    this.#cancel?.();
    const leftMs = this.#sinceMs + maxMs - nowMs;
    this.#cancel = this.#clock.after(Math.min(togetherMs, Math.max(0, leftMs)), () => void this.flush());
  }

  /** Reports all that is held back. */
  async flush(): Promise<void> {
    this.#cancel?.();
    const byCause = new Map<string, [T, ...T[]]>();
    for (const item of this.#held) {
      const cause = this.#causeOf(item);
      const same = byCause.get(cause);
      if (same === undefined) byCause.set(cause, [item]);
      else same.push(item);
    }
    this.#held = [];
    for (const items of byCause.values()) await this.#report(items);
  }
}
