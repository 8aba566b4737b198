import { type Clock, sleep } from './clock.ts';

/**
 * Every wait before a repetition is computed here, from a policy that has a name where it is used. Waits that never grow
 * (a poll of a file, of a cluster's progress) need no policy.
 */
export type RetryPolicy = (GrowingWaits | WaitTable) & {
  /** Attempts in a row without progress before it ends as exhausted; no limit when left out. */
  readonly maxTries?: number;
};

/** Each wait is up to twice as long as the one before. */
interface GrowingWaits {
  /** Upper end of the first wait, ms. */
  readonly firstMs: number;
  /** Upper end of every wait, ms. What the server asks for may be longer. */
  readonly maxMs: number;
  /** The upper half of each wait is random, so that clients that failed together do not come back together; not if false. */
  readonly jitter?: boolean;
}

/** Exact waits, for people who see them count down: one after the other, then the last one again and again. */
interface WaitTable {
  readonly waitsMs: readonly [number, ...number[]];
}

/** A policy with a time after which no other attempt begins, ms from the first one. */
export type TimedPolicy = RetryPolicy & { readonly limitMs?: number };

/** What one attempt came to. */
export type Attempt<T> =
  | { readonly state: 'done'; readonly value: T }
  /** Not yet. `value`: what it comes to once the tries are exhausted. */
  | { readonly state: 'pending'; readonly value: T; readonly afterMs?: number | undefined }
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
 * the tries or the time are exhausted, and the reason of the signal.
 */
export async function retry<T>(
  policy: TimedPolicy,
  attempt: (failures: number) => Promise<Attempt<T>>,
  { clock, signal, random }: RetryContext,
): Promise<T> {
  const backoff = new Backoff(policy, random);
  const untilMs = clock.steady() + (policy.limitMs ?? Number.POSITIVE_INFINITY);
  for (;;) {
    const result = await attempt(backoff.failures);
    if (result.state === 'done') return result.value;
    if (result.state === 'fatal') throw result.error;
    if (result.state !== 'progressed' && (backoff.isLast || clock.steady() >= untilMs)) {
      if (result.state === 'pending') return result.value;
      throw result.error;
    }
    const { afterMs } = result;
    const waitMs = result.state === 'progressed' ? backoff.progressedMs(afterMs) : backoff.nextMs(afterMs);
    await sleep(clock, waitMs, signal);
  }
}

/** Counts the failures in a row of one thing that is tried again and again, for loops that `retry` does not fit. */
export class Backoff {
  readonly #policy: RetryPolicy;
  readonly #random: (() => number) | undefined;
  #failures = 0;

  /** `random`: source of jitter, 0 to 1. */
  constructor(policy: RetryPolicy, random?: () => number) {
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
  nextMs(atLeastMs?: number): number {
    return backoffMs(this.#policy, this.#failures++, { random: this.#random, atLeastMs });
  }

  /** It made progress: returns the first wait, and so does the next failure. */
  progressedMs(atLeastMs?: number): number {
    this.reset();
    return backoffMs(this.#policy, 0, { random: this.#random, atLeastMs });
  }

  /** It made progress: the next failure counts as the first one again, or as the one after so many. */
  reset(failures = 0): void {
    this.#failures = failures;
  }
}

interface BackoffOptions {
  /** Source of jitter, 0 to 1; Math.random when left out. */
  readonly random?: (() => number) | undefined;
  /** How long the server asked to wait. */
  readonly atLeastMs?: number | undefined;
}

/** The wait in ms after `failures` earlier failures in a row (0 before the first repetition). */
export function backoffMs(
  policy: RetryPolicy,
  failures: number,
  { random = Math.random, atLeastMs = 0 }: BackoffOptions = {},
): number {
  return Math.max(waitMs(policy, failures, random), atLeastMs);
}

function waitMs(policy: RetryPolicy, failures: number, random: () => number): number {
  if ('waitsMs' in policy) return policy.waitsMs[failures] ?? policy.waitsMs.at(-1) ?? 0;
  const ceiling = Math.min(policy.maxMs, policy.firstMs * 2 ** Math.min(failures, 30));
  return policy.jitter === false ? ceiling : Math.round(ceiling * (0.5 + random() / 2));
}
