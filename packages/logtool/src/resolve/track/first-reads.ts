import { ownTurn } from '../own-turn.ts';

/** First looks of one resolution that are under way at once: each has one connection to the API server, or two. */
const MAX_FETCHES = 64;

/**
 * Lets the sources of one resolution, each in each of its namespaces, have their first looks in turns. What comes later
 * (while following) waits for nothing.
 */
export class FirstReads {
  readonly #signal: AbortSignal;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  /** All waiting ends once the signal is aborted. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    const end = () => {
      for (const go of this.#waiting.splice(0)) go();
    };
    signal.addEventListener('abort', end, { once: true });
  }

  /** Resolves when the look may begin, with what ends it. Rejects with the signal's reason. */
  async begin(): Promise<() => void> {
    this.#signal.throwIfAborted();
    if (this.#underWay < MAX_FETCHES) this.#underWay++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#signal.throwIfAborted();
    await ownTurn();
    this.#signal.throwIfAborted();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay--;
      else next();
    };
  }
}
