import type { Clock } from '@logtool/kube/src/values/clock.ts';

const SLOTS = 10;
const SLOT_MS = 100;

/** Counts the lines of the last second. */
export class Rate {
  readonly #clock: Clock;
  readonly #slots = new Float64Array(SLOTS);
  #at = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(count: number): void {
    const slot = this.#move();
    this.#slots[slot % SLOTS] = (this.#slots[slot % SLOTS] ?? 0) + count;
  }

  get perSecond(): number {
    this.#move();
    return this.#slots.reduce((sum, count) => sum + count, 0);
  }

  #move(): number {
    const now = Math.floor(this.#clock.now() / SLOT_MS);
    const passed = now - this.#at;
    for (let step = 1; step <= Math.min(SLOTS, passed); step++) this.#slots[(this.#at + step) % SLOTS] = 0;
    if (passed > SLOTS || passed < 0) this.#slots.fill(0);
    this.#at = now;
    return now;
  }
}
