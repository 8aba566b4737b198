import { type SingleFlight, singleFlight } from '@logtool/kube/src/credentials/single-flight.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Answer } from './answer-within.ts';

const YES_MS = 30_000;
const NO_MS = 5000;
const MAX_VERDICTS = 10_000;

interface Kept {
  readonly isAllowed: boolean;
  /** In ms of the steady clock. */
  readonly until: number;
}

/**
 * Verdicts of the API server, kept for a short time: yes for 30 s, no for 5 s, counted from the question. Equal
 * questions at the same time are one. What was not answered is not kept.
 */
export class VerdictCache {
  readonly #clock: Clock;
  readonly #maxVerdicts: number;
  readonly #kept = new Map<string, Kept>();
  readonly #asked = new Map<string, SingleFlight<Answer<boolean>>>();

  constructor(clock: Clock, maxVerdicts = MAX_VERDICTS) {
    this.#clock = clock;
    this.#maxVerdicts = maxVerdicts;
  }

  /** Number of verdicts kept, at most `maxVerdicts`: the oldest make room. */
  get size(): number {
    return this.#kept.size;
  }

  /** Returns the kept verdict, or asks. `key` must contain everything that the answer depends on. */
  async verdictOf(
    key: string,
    ask: (signal: AbortSignal) => Promise<Answer<boolean>>,
    signal: AbortSignal,
  ): Promise<Answer<boolean>> {
    signal.throwIfAborted();
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#clock.steady() < kept.until) return { answer: kept.isAllowed };
    let flight = this.#asked.get(key);
    if (flight === undefined) {
      flight = singleFlight((own) => this.#ask(key, ask, own));
      this.#asked.set(key, flight);
    }
    return flight.run(signal);
  }

  async #ask(
    key: string,
    ask: (signal: AbortSignal) => Promise<Answer<boolean>>,
    signal: AbortSignal,
  ): Promise<Answer<boolean>> {
    const askedAt = this.#clock.steady();
    const flight = this.#asked.get(key);
    try {
      const answer = await ask(signal);
      if ('answer' in answer) this.#keep(key, answer.answer, askedAt);
      return answer;
    } finally {
      if (this.#asked.get(key) === flight) this.#asked.delete(key);
    }
  }

  #keep(key: string, isAllowed: boolean, askedAt: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, { isAllowed, until: askedAt + (isAllowed ? YES_MS : NO_MS) });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#maxVerdicts) return;
      this.#kept.delete(oldest);
    }
  }
}
