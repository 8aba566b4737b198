import { ownTurn } from '../own-turn.ts';

/**
 * Maximum number of first reads that one resolution makes at once. Each has one or two connections to the API server.
 */
const MAX_FETCHES = 64;

/**
 * Lets the sources of one resolution, each in each of its namespaces, take turns for their first reads. Later reads
 * (while following) do not wait.
 */
export class FirstReads {
  readonly #signal: AbortSignal;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  /** When the signal is aborted, nothing waits any longer. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    const end = () => {
      for (const go of this.#waiting.splice(0)) go();
    };
    signal.addEventListener('abort', end, { once: true });
  }

  /** Resolves when the read may begin, with a function to call when it ends. Rejects with the signal's reason. */
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
