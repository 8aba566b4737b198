/** The resolution of the Date header of an answer, ms. */
const DATE_MS = 1_000;

/**
 * The server's clock, as far as its answers show it: each has a Date header (RFC 9110, section 6.6.1), in whole seconds.
 * Ranges that end now are reckoned on it, because a browser whose clock is ahead would leave out the newest lines.
 */
export class ServerClock {
  readonly #browserNowMs: () => number;
  readonly #listeners = new Set<() => void>();
  #aheadMs: number | undefined;
  #firstMs: number | undefined;

  /** `browserNowMs`: ms since the epoch on the clock of this browser. */
  constructor(browserNowMs: () => number) {
    this.#browserNowMs = browserNowMs;
  }

  /** By how much the browser's clock is ahead of the server's, ms; negative: behind. 0 until an answer shows it. */
  get aheadMs(): number {
    return this.#aheadMs ?? 0;
  }

  /** The first measured value of `aheadMs`; 0 before it. */
  get firstAheadMs(): number {
    return this.#firstMs ?? 0;
  }

  /** The server's time, ms since the epoch. */
  nowMs(): number {
    return this.#browserNowMs() - this.aheadMs;
  }

  /** Calls the listener when `aheadMs` changes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes the Date header of an answer, and between which times of the browser it was written. */
  note(date: string | null, sentMs: number, receivedMs: number): void {
    const writtenMs = date === null ? Number.NaN : Date.parse(date);
    if (Number.isNaN(writtenMs)) return;
    const [least, most] = [sentMs - writtenMs - DATE_MS, receivedMs - writtenMs];
    // An answer that fits the known difference shows no other one.
    if (least <= this.aheadMs && this.aheadMs <= most) this.#set(this.aheadMs);
    else this.#set(Math.round((least + most) / 2));
  }

  #set(aheadMs: number): void {
    const before = this.aheadMs;
    this.#aheadMs = aheadMs;
    this.#firstMs ??= aheadMs;
    if (aheadMs !== before) for (const listener of this.#listeners) listener();
  }
}

/** The clock of the server that this page, or this worker, asks. */
export const serverClock = new ServerClock(() => Date.now());
