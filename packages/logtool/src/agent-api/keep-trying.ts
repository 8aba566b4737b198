import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type Attempt, retry } from '@logtool/kube/src/values/retry.ts';

const WAITS = { firstMs: 1000, maxMs: 30_000 } as const;

/**
 * Does something that lasts until the signal aborts, and again each time that it fails, after waits of 1 to 30 s.
 * Resolves when the signal has aborted.
 */
export async function keepTrying(
  task: () => Promise<void>,
  {
    clock,
    signal,
    onFailure,
  }: {
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly onFailure: (error: unknown) => void;
  },
): Promise<void> {
  const attempt = async (): Promise<Attempt<void>> => {
    try {
      await task();
      signal.throwIfAborted();
      return { state: 'progressed' };
    } catch (error) {
      if (signal.aborted) return { state: 'done', value: undefined };
      onFailure(error);
      return { state: 'failed', error };
    }
  };
  try {
    await retry(WAITS, attempt, { clock, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
