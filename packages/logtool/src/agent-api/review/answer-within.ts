import type { Clock } from '@logtool/kube/src/values/clock.ts';

/** What the API server answered, or that it did not, and why. */
export type Answer<T> = { readonly answer: T } | { readonly unanswered: unknown };

/** Callers of an extension API server wait this long for each review, at most. */
const LIMIT_MS = 10_000;

/**
 * Asks the API server, and ends the question after 10 s. Every failure is `unanswered`, so that none can pass for a
 * verdict. Throws only the signal's reason, if it aborts.
 */
export async function answerWithin<T>(
  clock: Clock,
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<Answer<T>> {
  const limit = new AbortController();
  const cancel = clock.after(LIMIT_MS, () => limit.abort());
  try {
    return { answer: await ask(AbortSignal.any([signal, limit.signal])) };
  } catch (error) {
    signal.throwIfAborted();
    return { unanswered: error };
  } finally {
    cancel();
  }
}
