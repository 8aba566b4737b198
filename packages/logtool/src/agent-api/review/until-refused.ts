import { type Clock, sleep } from '@logtool/kube/src/values/clock.ts';
import type { Refusal } from './access-reviews.ts';

const EVERY_MS = 60_000;

/**
 * Asks again every 60 s whether an open stream may go on, and returns why it may not. A review that is not answered
 * ends it too: the caller may have lost the permission. Rejects with the signal's reason when the stream is over.
 */
export async function untilRefused(
  refusalOf: (signal: AbortSignal) => Promise<Refusal | undefined>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Refusal> {
  for (;;) {
    await sleep(clock, EVERY_MS, signal);
    const refusal = await refusalOf(signal);
    if (refusal !== undefined) return refusal;
  }
}
