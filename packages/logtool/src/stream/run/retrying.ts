import { sleep } from '@logtool/kube/src/values/clock.ts';
import { type Attempt, backoffMs, retry } from '@logtool/kube/src/values/retry.ts';
import type { ReadContext } from '../read-context.ts';
import { fetchContainer, outcomeOfMissing } from './fetch-container.ts';
import type { RunAddress } from './run-address.ts';
import type { RunOutcome } from './run-outcome.ts';
import { classifyFailure, mayBeRemoved } from './source-failure.ts';

/** Tries in a row for 401 and 403, and for a run that the node may have removed. */
export const MAX_REFUSED_TRIES = 3;
/** Tries in a row that bring nothing new before a read that does not follow gives up. */
export const MAX_TRIES = 8;
/** Waits between reads of a log that is not followed. */
export const READ_POLICY = { firstMs: 100, maxMs: 5_000, maxTries: MAX_TRIES };

type Answer<T> = { readonly value: T } | { readonly outcome: RunOutcome };

/** Asks a small thing of a run's log until it is answered, or until it is clear that it will not be. */
export async function retrying<T>(
  context: ReadContext,
  run: RunAddress,
  ask: () => Promise<T>,
): Promise<Answer<T>> {
  const attempt = async (failures: number): Promise<Attempt<Answer<T>>> => {
    try {
      return { state: 'done', value: { value: await ask() } };
    } catch (error) {
      if (context.signal.aborted) return { state: 'fatal', error: context.signal.reason };
      return judge(context, run, error, failures);
    }
  };
  return retry(READ_POLICY, attempt, context);
}

async function judge(
  context: ReadContext,
  run: RunAddress,
  error: unknown,
  failures: number,
): Promise<Attempt<{ readonly outcome: RunOutcome }>> {
  const over = (outcome: RunOutcome) => ({ state: 'done', value: { outcome } }) as const;
  const failure = classifyFailure(error);
  if (failure.kind === 'no-previous') return over({ kind: 'absent' });
  if (failure.kind === 'waiting') return over({ kind: 'waiting', reason: failure.reason });
  if (failure.kind === 'missing') {
    const outcome = outcomeOfMissing(await fetchContainer(context, run.target));
    if (outcome !== undefined) return over(outcome);
  }
  const tries = failure.kind === 'denied' || mayBeRemoved(error, run) ? MAX_REFUSED_TRIES : MAX_TRIES;
  if (failure.kind === 'fatal' || failures + 1 >= tries) return over({ kind: 'failed', error });
  return { state: 'failed', error, afterMs: failure.kind === 'retry' ? failure.afterMs : undefined };
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
