import type { Clock } from '@logtool/kube/src/values/clock.ts';

/** Fewer lines than this do not show how long a line may take. */
const MIN_LINES = 3;
/** The greatest delay applies for this long, and for up to as long again. */
const BUCKET_MS = 10_000;
/** Clocks drift apart: a delay that was measured earlier than this shows nothing. */
const MAX_AGE_MS = 600_000;

/**
 * How long the lines of one node take from their timestamp to their arrival. The timestamp comes from the
 * node's clock and the arrival from a steady one, so a delay also contains their difference and may be any
 * number; it is only ever added to a timestamp of the same node.
 */
export class ArrivalDelays {
  readonly #clock: Clock;
  #lines = 0;
  #max = Number.NEGATIVE_INFINITY;
  #previousMax = Number.NEGATIVE_INFINITY;
  #bucketMs = 0;
  #lastMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A line with this timestamp (ms since the epoch) arrived now. */
  note(stampMs: number): void {
    const now = this.#clock.steady();
    if (this.#lines === 0) this.#bucketMs = now;
    if (now - this.#bucketMs >= BUCKET_MS) {
      this.#previousMax = this.#max;
      this.#max = Number.NEGATIVE_INFINITY;
      this.#bucketMs = now;
    }
    this.#lines++;
    this.#lastMs = now;
    this.#max = Math.max(this.#max, now - stampMs);
  }

  /** The greatest delay of the last lines in ms; infinite where too little is known. */
  get maxMs(): number {
    const isKnown = this.#lines >= MIN_LINES && this.#clock.steady() - this.#lastMs < MAX_AGE_MS;
    return isKnown ? Math.max(this.#max, this.#previousMax) : Number.POSITIVE_INFINITY;
  }
}
