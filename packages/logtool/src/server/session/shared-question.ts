/** A question that several requests wait for. When all of them have gone, its signal aborts. */
export class SharedQuestion<T> {
  readonly #gone = new AbortController();
  readonly #answer: Promise<T>;
  readonly #onOver: () => void;
  #waiting = 0;

  /** `onOver`: it is answered, or has failed, or nobody waits for it: later requests ask a new one. */
  constructor(ask: (gone: AbortSignal) => Promise<T>, onOver: () => void) {
    this.#onOver = onOver;
    this.#answer = ask(this.#gone.signal).finally(onOver);
  }

  /** The answer, for a request that is gone when `signal` is aborted. Rejects as the question does. */
  async join(signal: AbortSignal): Promise<T> {
    this.#waiting++;
    const leave = () => {
      if (--this.#waiting > 0) return;
      this.#onOver();
      this.#gone.abort(signal.reason);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    try {
      return await this.#answer;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
