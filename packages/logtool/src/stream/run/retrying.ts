import { backoffMs } from '@logtool/kube/src/backoff.ts';
import { sleep } from '@logtool/kube/src/values/clock.ts';
import type { ReadContext } from '../read-context.ts';
import { lookAtPod, outcomeOfMissing } from './pod-look.ts';
import type { RunAddress } from './run-address.ts';
import type { RunOutcome } from './run-outcome.ts';
import { classifyFailure, mayBeRemoved } from './source-failure.ts';

/** Tries in a row for 401 and 403, and for a run that the node may have removed. */
export const FEW_TRIES = 3;
/** Tries in a row that bring nothing new before a read that does not follow gives up. */
export const MAX_TRIES = 8;

/** Asks a small thing of a run's log until it is answered, or until it is clear that it will not be. */
export async function retrying<T>(
  context: ReadContext,
  run: RunAddress,
  ask: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly outcome: RunOutcome }> {
  for (let attempt = 0; ; attempt++) {
    let atLeastMs = 0;
    try {
      return { value: await ask() };
    } catch (error) {
      if (context.signal.aborted) throw context.signal.reason;
      const failure = classifyFailure(error);
      if (failure.kind === 'no-previous') return { outcome: { kind: 'absent' } };
      if (failure.kind === 'waiting') return { outcome: { kind: 'waiting', reason: failure.reason } };
      if (failure.kind === 'missing') {
        const outcome = outcomeOfMissing(await lookAtPod(context, run.target));
        if (outcome !== undefined) return { outcome };
      }
      const tries = failure.kind === 'denied' || mayBeRemoved(error, run) ? FEW_TRIES : MAX_TRIES;
      if (failure.kind === 'fatal' || attempt + 1 >= tries) return { outcome: { kind: 'failed', error } };
      if (failure.kind === 'retry') atLeastMs = failure.afterMs ?? 0;
    }
    await pauseBeforeTry(context, attempt, { firstMs: 100, maxMs: 5_000 }, atLeastMs);
  }
}

/** The wait before a repetition (0 is the first), at least as long as the server asked for. */
export async function pauseBeforeTry(
  context: ReadContext,
  attempt: number,
  limits: { readonly firstMs: number; readonly maxMs: number },
  atLeastMs: number,
): Promise<void> {
  const waitMs = backoffMs(attempt, { ...limits, random: context.random });
  await sleep(context.clock, Math.max(waitMs, atLeastMs), context.signal);
}
