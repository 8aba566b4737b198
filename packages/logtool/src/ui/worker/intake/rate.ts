import type { Clock } from '@logtool/kube/src/values/clock.ts';

const SLOTS = 10;

/** Counts lines, averaged over the last seconds. */
export class Rate {
  readonly #clock: Clock;
  readonly #seconds: number;
  readonly #slotMs: number;
  readonly #slots = new Float64Array(SLOTS);
  #at = 0;

  /** `seconds`: the time to average over. */
  constructor(clock: Clock, seconds = 1) {
    this.#clock = clock;
    this.#seconds = seconds;
    this.#slotMs = (seconds * 1_000) / SLOTS;
  }

  add(count: number): void {
    const slot = this.#move();
    this.#slots[slot % SLOTS] = (this.#slots[slot % SLOTS] ?? 0) + count;
  }

  get perSecond(): number {
    this.#move();
    return this.#slots.reduce((sum, count) => sum + count, 0) / this.#seconds;
  }

  #move(): number {
    const now = Math.floor(this.#clock.now() / this.#slotMs);
    const passed = now - this.#at;
    for (let step = 1; step <= Math.min(SLOTS, passed); step++) this.#slots[(this.#at + step) % SLOTS] = 0;
    if (passed > SLOTS || passed < 0) this.#slots.fill(0);
    this.#at = now;
    return now;
  }
}
