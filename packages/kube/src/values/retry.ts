import { type Clock, sleep } from './clock.ts';

/** How long a repeated attempt waits, and how often it is made. */
export interface RetryPolicy {
  /** Upper end of the first wait, ms. */
  readonly firstMs: number;
  /** Upper end of every wait, ms. What the server asks for may be longer. */
  readonly maxMs: number;
  /** Attempts in a row without progress before it ends as exhausted; no limit when left out. */
  readonly maxTries?: number;
}

/** Exact waits, for people who see them count down: one after the other, then the last one again and again. */
export interface WaitTable extends Pick<RetryPolicy, 'maxTries'> {
  readonly waitsMs: readonly [number, ...number[]];
}

/** What one attempt came to. */
export type Attempt<T> =
  | { readonly state: 'done'; readonly value: T }
  /** It made progress and must continue after the shortest wait: reset the count of failures. */
  | { readonly state: 'progressed'; readonly afterMs?: number | undefined }
  /** It failed in a way that may pass. `afterMs`: how long the server asked to wait at least. */
  | { readonly state: 'failed'; readonly error: unknown; readonly afterMs?: number | undefined }
  /** Another attempt is of no use. */
  | { readonly state: 'fatal'; readonly error: unknown };

/** What the next attempt waits on. */
export interface RetryContext {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Source of jitter, 0 to 1; Math.random when left out. */
  readonly random?: (() => number) | undefined;
}

/**
 * Repeats an attempt until it is done. The attempt learns how many failed in a row before it, and turns its own errors
 * into a state; an error that it throws ends the loop. Throws the error of a fatal attempt, that of the last one when
 * the tries are exhausted, and the reason of the signal.
 */
export async function retry<T>(
  policy: RetryPolicy | WaitTable,
  attempt: (failures: number) => Promise<Attempt<T>>,
  context: RetryContext,
): Promise<T> {
  const backoff = new Backoff(policy, context.random);
  for (;;) {
    const result = await attempt(backoff.failures);
    if (result.state === 'done') return result.value;
    if (result.state === 'fatal') throw result.error;
    if (result.state === 'failed' && backoff.isLast) throw result.error;
    if (result.state === 'progressed') backoff.reset();
    const waitMs = backoff.nextMs(result.afterMs);
    if (result.state === 'progressed') backoff.reset();
    await sleep(context.clock, waitMs, context.signal);
  }
}

/** Counts the failures in a row of one thing that is tried again and again, for loops that `retry` does not fit. */
export class Backoff {
  readonly #policy: RetryPolicy | WaitTable;
  readonly #random: () => number;
  #failures = 0;

  /** `random`: source of jitter, 0 to 1. */
  constructor(policy: RetryPolicy | WaitTable, random: () => number = Math.random) {
    this.#policy = policy;
    this.#random = random;
  }

  /** Failures in a row so far. */
  get failures(): number {
    return this.#failures;
  }

  /** Whether the attempt under way is the last one that the policy allows. */
  get isLast(): boolean {
    return this.#failures + 1 >= (this.#policy.maxTries ?? Number.POSITIVE_INFINITY);
  }

  /** Counts a failure; returns the wait before the next attempt in ms, `atLeastMs` or longer. */
  nextMs(atLeastMs = 0): number {
    return Math.max(this.#waitMs(this.#failures++), atLeastMs);
  }

  #waitMs(failures: number): number {
    const policy = this.#policy;
    if (!('waitsMs' in policy)) return backoffMs(failures, { ...policy, random: this.#random });
    return policy.waitsMs[failures] ?? policy.waitsMs.at(-1) ?? 0;
  }

  /** It made progress: the next failure counts as the first one again, or as the one after so many. */
  reset(failures = 0): void {
    this.#failures = failures;
  }
}

export interface BackoffOptions extends RetryPolicy {
  /** 0 to 1, as Math.random. */
  readonly random?: () => number;
}

/**
 * The wait in ms after `failures` earlier failures in a row (0 before the first repetition): doubles each time up to
 * `maxMs`; the upper half is random, so that clients that failed together do not come back together.
 */
export function backoffMs(failures: number, options: BackoffOptions): number {
  const random = options.random ?? Math.random;
  const ceiling = Math.min(options.maxMs, options.firstMs * 2 ** Math.min(failures, 30));
  return Math.round(ceiling * (0.5 + random() / 2));
}
