import { type Clock, sleep } from './clock.ts';

/**
 * This file computes every wait before a retry, from a policy that its user names. Constant waits (polling a file, or a
 * cluster's progress) need no policy.
 */
export type RetryPolicy = (GrowingWaits | WaitTable) & {
  /** Consecutive attempts without progress before the policy is exhausted; default: no limit. */
  readonly maxTries?: number;
};

/** Each wait is up to twice as long as the previous one. */
interface GrowingWaits {
  /** Upper limit of the first wait, ms. */
  readonly firstMs: number;
  /** Upper limit of every wait, ms. The server may ask for a longer one. */
  readonly maxMs: number;
  /**
   * Unless false, the upper half of each wait is random, so that clients that failed together do not retry together.
   */
  readonly jitter?: boolean;
}

/** Exact waits, for people who watch a countdown: each in turn, then the last one repeatedly. */
interface WaitTable {
  readonly waitsMs: readonly [number, ...number[]];
}

/** A policy with a time, in ms from the first attempt, after which no other attempt starts. */
export type TimedPolicy = RetryPolicy & { readonly limitMs?: number };

/** The outcome of one attempt. */
export type Attempt<T> =
  | { readonly state: 'done'; readonly value: T }
  /** Not finished yet. `value`: the result if the attempts are exhausted. */
  | { readonly state: 'pending'; readonly value: T; readonly afterMs?: number | undefined }
  /** It made progress and must continue after the shortest wait; this resets the count of failures. */
  | { readonly state: 'progressed'; readonly afterMs?: number | undefined }
  /** It failed, perhaps temporarily. `afterMs`: the minimum wait that the server asked for. */
  | { readonly state: 'failed'; readonly error: unknown; readonly afterMs?: number | undefined }
  /** Another attempt is useless. */
  | { readonly state: 'fatal'; readonly error: unknown };

/** What a retry needs for its waits. */
export interface RetryContext {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Source of jitter, 0 to 1; default Math.random. */
  readonly random?: (() => number) | undefined;
}

/**
 * Repeats an attempt until it is done. `failures` is the number of consecutive failures so far. The attempt turns its
 * own errors into a state; an error that it throws ends the loop. Throws the error of a fatal attempt, the last error
 * if the attempts or the time are exhausted, or the signal's reason.
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

/** Counts consecutive failures of a repeated action, for loops that `retry` does not fit. */
export class Backoff {
  readonly #policy: RetryPolicy;
  readonly #random: (() => number) | undefined;
  #failures = 0;

  /** `random`: source of jitter, 0 to 1. */
  constructor(policy: RetryPolicy, random?: () => number) {
    this.#policy = policy;
    this.#random = random;
  }

  /** Consecutive failures so far. */
  get failures(): number {
    return this.#failures;
  }

  /** Whether the current attempt is the last one that the policy allows. */
  get isLast(): boolean {
    return this.#failures + 1 >= (this.#policy.maxTries ?? Number.POSITIVE_INFINITY);
  }

  /** Counts a failure; returns the wait before the next attempt in ms, at least `atLeastMs`. */
  nextMs(atLeastMs?: number): number {
    return backoffMs(this.#policy, this.#failures++, { random: this.#random, atLeastMs });
  }

  /** Call after progress: returns the first wait, and the next failure starts from there again. */
  progressedMs(atLeastMs?: number): number {
    this.reset();
    return backoffMs(this.#policy, 0, { random: this.#random, atLeastMs });
  }

  /** Call after progress: the next failure counts as the first one, or as the one after `failures`. */
  reset(failures = 0): void {
    this.#failures = failures;
  }
}

interface BackoffOptions {
  /** Source of jitter, 0 to 1; default Math.random. */
  readonly random?: (() => number) | undefined;
  /** How long the server asked to wait. */
  readonly atLeastMs?: number | undefined;
}

/** Returns the wait in ms after `failures` consecutive failures (0 before the first retry). */
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
