/** Time as an interface, so that tests drive it and never sleep. */
export interface Clock {
  /** Milliseconds since the epoch. A user may set this clock forward or back, so it cannot measure durations. */
  now(): number;
  /** Milliseconds since a fixed moment, of a clock that nobody can set: for durations and time limits. */
  steady(): number;
  /** Calls back once after that many ms; returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/**
 * A longer timer would fire at once (https://nodejs.org/api/timers.html): callers that wait longer must check again.
 */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. Its timers keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(delayMs, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Resolves after that many ms; rejects with the signal's reason if it aborts first. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * A clock that stands still until `advance` moves it; for tests and for deterministic scenarios. `advance`
 * runs the due callbacks in order and lets promises settle between them.
 */
export class FakeClock implements Clock {
  #now: number;
  #setByMs = 0;
  #timers: { readonly at: number; readonly id: number; readonly callback: () => void }[] = [];
  #ids = 0;

  constructor(startMs = Date.UTC(2026, 10, 21, 10)) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now + this.#setByMs;
  }

  steady(): number {
    return this.#now;
  }

  /** Sets the clock forward by that many ms, or back; no time passes. */
  set(byMs: number): void {
    this.#setByMs += byMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, delayMs), id: this.#ids++, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Number of waiting timers. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Moves time forward by that many ms. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settle();
      const next = this.#timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at || a.id - b.id)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = next.at;
      next.callback();
    }
    this.#now = end;
    await settle();
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
