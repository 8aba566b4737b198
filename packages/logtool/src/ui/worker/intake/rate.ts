import type { Clock } from '@logtool/kube/src/values/clock.ts';

const PARTS = 10;
const PART_MS = 100;

/** How many came in the last second. */
export class Rate {
  readonly #clock: Clock;
  readonly #parts = new Float64Array(PARTS);
  #at = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(count: number): void {
    const part = this.#move();
    this.#parts[part % PARTS] = (this.#parts[part % PARTS] ?? 0) + count;
  }

  get perSecond(): number {
    this.#move();
    return this.#parts.reduce((sum, part) => sum + part, 0);
  }

  #move(): number {
    const now = Math.floor(this.#clock.now() / PART_MS);
    const passed = now - this.#at;
    for (let step = 1; step <= Math.min(PARTS, passed); step++) this.#parts[(this.#at + step) % PARTS] = 0;
    if (passed > PARTS || passed < 0) this.#parts.fill(0);
    this.#at = now;
    return now;
  }
}
