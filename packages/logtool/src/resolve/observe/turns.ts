import type { KubeErrorKind } from '@logtool/kube/src/client.ts';
import { isKubeError, requestedWaitMs } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type Attempt, retry } from '@logtool/kube/src/values/retry.ts';

/** Only one piece of work waits at a time, so there is nothing to spread. */
const WORK_POLICY = { firstMs: 1_000, maxMs: 30_000, jitter: false };

/** Failures that may heal without help. */
const PASSING: readonly KubeErrorKind[] = [
  'connection',
  'tls',
  'server',
  'too-many-requests',
  'credentials',
  'unauthorized',
];

/** Runs work one piece at a time, in the order in which it was given. */
export class Turns {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #mayRetry: () => boolean;
  #last: Promise<void> = Promise.resolve();

  /**
   * While `mayRetry` holds, repeats a piece that fails because the cluster is away until it works: the change behind it
   * must not be lost.
   */
  constructor(clock: Clock, signal: AbortSignal, mayRetry: () => boolean) {
    this.#clock = clock;
    this.#signal = signal;
    this.#mayRetry = mayRetry;
  }

  /** Rejects with what the work threw. Later turns still run. */
  take(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(() => this.#untilItWorks(work));
    this.#last = turn.catch(() => {
      // The callers that wait for this turn get the error.
    });
    return turn;
  }

  #untilItWorks(work: () => Promise<void>): Promise<void> {
    const attempt = async (): Promise<Attempt<void>> => {
      try {
        return { state: 'done', value: await work() };
      } catch (error) {
        const mayPass = this.#mayRetry() && PASSING.some((kind) => isKubeError(error, kind));
        return { state: mayPass ? 'failed' : 'fatal', error, afterMs: requestedWaitMs(error) };
      }
    };
    return retry(WORK_POLICY, attempt, { clock: this.#clock, signal: this.#signal });
  }
}
