import type { Clock } from '@logtool/kube/src/values/clock.ts';

/** How long items wait for others of the same cause, in ms. */
interface BatchTimes {
  /** After each item. */
  readonly togetherMs: number;
  /** In total. */
  readonly maxMs: number;
}

/** Holds items for a moment, then reports those of one cause together, in the order of arrival. */
export class Batch<T> {
  readonly #clock: Clock;
  readonly #times: BatchTimes;
  readonly #causeOf: (item: T) => string;
  readonly #report: (items: readonly [T, ...T[]]) => Promise<void>;
  #held: T[] = [];
  #sinceMs = 0;
  #reported: Promise<void> = Promise.resolve();
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

  /** Whether a held item fulfills the condition. */
  some(isSo: (item: T) => boolean): boolean {
    return this.#held.some(isSo);
  }

  /** Reports all held items, after the current report. */
  flush(): Promise<void> {
    this.#cancel?.();
    const held = this.#held;
    this.#held = [];
    const reported = this.#reported.then(() => this.#reportAll(held));
    // The caller gets the failure; later items are still reported.
    this.#reported = reported.catch(() => undefined);
    return reported;
  }

  async #reportAll(held: readonly T[]): Promise<void> {
    const byCause = new Map<string, [T, ...T[]]>();
    for (const item of held) {
      const cause = this.#causeOf(item);
      const same = byCause.get(cause);
      if (same === undefined) byCause.set(cause, [item]);
      else same.push(item);
    }
    for (const items of byCause.values()) await this.#report(items);
  }
}
