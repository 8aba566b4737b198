import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';

const STEP_NANOS = { least: 400, spread: 2000 };

/**
 * Timestamps for the entries of one run. The simulation's clocks count milliseconds, a runtime's nanoseconds: the seed
 * determines the digits below, and simultaneous entries are about a microsecond apart.
 */
export class EntryClock {
  readonly #clock: Clock;
  #random: number;
  #last: Timestamp = { seconds: Number.NEGATIVE_INFINITY, nanos: 0 };

  constructor(clock: Clock, seed: number) {
    this.#clock = clock;
    this.#random = seed | 1;
  }

  /** Returns the clock's time, later than all earlier results. */
  now(): Timestamp {
    const ms = this.#clock.now();
    const seconds = Math.floor(ms / 1000);
    const nanos = Math.floor((ms - seconds * 1000) * 1e6) + (this.#next() % 1_000_000);
    const at = { seconds, nanos: Math.min(nanos, 999_999_999) };
    this.#last = compareTimestamps(at, this.#last) > 0 ? at : this.after(this.#last);
    return this.#last;
  }

  /** Returns a time shortly after `at`. */
  after(at: Timestamp): Timestamp {
    const nanos = at.nanos + STEP_NANOS.least + (this.#next() % STEP_NANOS.spread);
    return nanos < 1e9 ? { seconds: at.seconds, nanos } : { seconds: at.seconds + 1, nanos: nanos - 1e9 };
  }

  /** Xorshift: fast, and the same digits for the same seed. */
  #next(): number {
    this.#random ^= this.#random << 13;
    this.#random ^= this.#random >>> 17;
    this.#random ^= this.#random << 5;
    return this.#random >>> 0;
  }
}
