import type { Clock } from '@logtool/kube/src/values/clock.ts';

const INTERVAL_MS = 250;

interface ProgressItem {
  readonly kind: 'progress';
  readonly done: number;
  readonly total: number;
}

/** How far a scan is, several times a second. */
export class ScanProgress {
  readonly #total: number;
  readonly #clock: Clock;
  #shownAt: number;
  /** Bytes of text so far. */
  done = 0;

  constructor(total: number, clock: Clock) {
    this.#total = total;
    this.#clock = clock;
    this.#shownAt = clock.steady();
  }

  *add(bytes: number): Generator<ProgressItem, void, undefined> {
    this.done += bytes;
    const now = this.#clock.steady();
    if (now - this.#shownAt < INTERVAL_MS) return;
    this.#shownAt = now;
    yield this.last();
  }

  last(): ProgressItem {
    // The files may have grown meanwhile.
    return { kind: 'progress', done: this.done, total: Math.max(this.#total, this.done) };
  }
}
