import { sleep } from '@logtool/kube/src/values/clock.ts';
import { ProblemError } from '@logtool/kube/src/values/problems.ts';
import { type Attempt, Backoff, retry } from '@logtool/kube/src/values/retry.ts';
import type { GapCause } from '../../domain/frame.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { FailurePolicy } from './failure-policy.ts';
import type { RunAddress } from './open-log.ts';
import { mayBeRemoved } from './read-failure.ts';
import type { RunOutcome } from './run-outcome.ts';

/**
 * Waits between reads of a log that is not followed, and the number of consecutive attempts without anything new before
 * it gives up.
 */
const READ_POLICY = { firstMs: 100, maxMs: 5_000, maxTries: 8 };

/** A read of a run's log that yields what it reads. */
export interface RepeatedRead<T, End> {
  readonly run: RunAddress;
  readonly failures: FailurePolicy;
  /** How it ended; undefined while it continues. */
  outcome: RunOutcome | undefined;
  /** Whether any line of the run was given. */
  readonly hasLines: boolean;
  /** See RunReadOptions. */
  readonly thenFollow: boolean;
  /** Begins an attempt; undefined if the read has ended. */
  begin(): Promise<AsyncIterator<T, End, undefined> | undefined>;
  /** Handles a clean end of an attempt's answer. */
  onEnd(end: End): AsyncGenerator<T, void, undefined>;
  /** Reports that what follows the last given line may be missing. */
  reportGap(cause: GapCause): void;
}

/** Repeats a read until it has an outcome. Throws only when the signal is aborted. */
export async function* readUntilOver<T, End>(
  context: ReadContext,
  read: RepeatedRead<T, End>,
): AsyncGenerator<T, void, undefined> {
  const backoff = new TimedBackoff(context);
  while (read.outcome === undefined) {
    read.failures.hasProgressed = false;
    let failure: Failure | undefined;
    try {
      // Avoids yield*, whose promises would cost more for each batch than everything else here.
      const answer = await read.begin();
      if (answer === undefined) return;
      let step = await answer.next();
      try {
        for (; step.done !== true; step = await answer.next()) yield step.value;
      } finally {
        await answer.return?.();
      }
      // The check of the run may have decided how the read ends.
      if (read.outcome === undefined) yield* read.onEnd(step.value);
    } catch (error) {
      if (context.signal.aborted) throw context.signal.reason;
      failure = { afterMs: await judgeFailure(read, error) };
    }
    if (read.outcome === undefined) await beforeNext(context, read, backoff, failure);
  }
}

/** The waits of READ_POLICY, with a limit of time (EnginePlan.retryMs) that begins again with each progress. */
class TimedBackoff extends Backoff {
  readonly #context: ReadContext;
  #begunMs: number;

  constructor(context: ReadContext) {
    super(READ_POLICY, context.random);
    this.#context = context;
    this.#begunMs = context.clock.steady();
  }

  override get isLast(): boolean {
    const { clock, retryMs = Number.POSITIVE_INFINITY } = this.#context;
    return super.isLast || clock.steady() - this.#begunMs >= retryMs;
  }

  override reset(failures?: number): void {
    super.reset(failures);
    this.#begunMs = this.#context.clock.steady();
  }
}

/** A failure that may pass; `afterMs`: the minimum wait. */
interface Failure {
  readonly afterMs: number | undefined;
}

/** Waits for the next attempt, or gives up. */
async function beforeNext<T, End>(
  context: ReadContext,
  read: RepeatedRead<T, End>,
  backoff: TimedBackoff,
  failure: Failure | undefined,
): Promise<void> {
  const { hasProgressed, isAway } = read.failures;
  const waitsForServer = failure !== undefined && read.thenFollow && isAway;
  if (!hasProgressed && backoff.isLast && !waitsForServer)
    return giveUp(read, new ProblemError({ code: 'log-ended-early', data: {} }));
  if (failure === undefined && hasProgressed) return backoff.reset();
  const waitMs = hasProgressed ? backoff.progressedMs(failure?.afterMs) : backoff.nextMs(failure?.afterMs);
  await sleep(context.clock, waitMs, context.signal);
}

/** Acts on a failed attempt; returns the minimum wait. */
async function judgeFailure<T, End>(read: RepeatedRead<T, End>, error: unknown): Promise<number | undefined> {
  const verdict = await read.failures.judge(error, read.run, read.hasLines);
  if (verdict.kind === 'again') return verdict.afterMs;
  if (verdict.kind === 'give-up') giveUp(read, error);
  else {
    verdict.kind satisfies 'over';
    if (verdict.gap !== undefined) read.reportGap(verdict.gap);
    read.outcome = verdict.outcome;
  }
  return undefined;
}

function giveUp<T, End>(read: RepeatedRead<T, End>, error: unknown): void {
  if (read.hasLines && (!read.thenFollow || read.run.previous))
    read.reportGap({ code: 'end-unread', data: {} });
  read.outcome = { kind: 'failed', error: read.failures.lastError ?? error };
}

type Answer<T> = { readonly value: T } | { readonly outcome: RunOutcome };

/** Repeats a small request about a run's log until it is answered, or certainly will not be. */
export async function retrying<T>(
  context: ReadContext,
  run: RunAddress,
  ask: () => Promise<T>,
): Promise<Answer<T>> {
  const policy = new FailurePolicy(context);
  const over = (outcome: RunOutcome) => ({ state: 'done', value: { outcome } }) as const;
  const attempt = async (): Promise<Attempt<Answer<T>>> => {
    try {
      return { state: 'done', value: { value: await ask() } };
    } catch (error) {
      if (context.signal.aborted) return { state: 'fatal', error: context.signal.reason };
      const verdict = await policy.judge(error, run, false);
      if (verdict.kind === 'over' && !mayBeRemoved(error, run)) return over(verdict.outcome);
      const outcome = { kind: 'failed', error } as const;
      if (verdict.kind !== 'again') return over(outcome);
      return { state: 'pending', value: { outcome }, afterMs: verdict.afterMs };
    }
  };
  const { retryMs: limitMs = Number.POSITIVE_INFINITY } = context;
  return retry({ ...READ_POLICY, limitMs }, attempt, context);
}
