import { isKubeError } from '@logtool/kube/src/errors.ts';
import { sleep } from '@logtool/kube/src/values/clock.ts';
import { backoffMs } from '@logtool/kube/src/values/retry.ts';
import type { ReadContext } from '../read-context.ts';
import { retryAfterMs } from '../run/source-failure.ts';
import type { StreamEnd } from './follow-connection.ts';

const RECONNECT_POLICY = { firstMs: 200, maxMs: 30_000 };
/** What all containers have in common: a server that is away, and credentials that it does not take. */
const ONE_CAUSE = ['connection', 'unauthorized', 'credentials'] as const;
/** Those that are woken come back over so long, and not all in one moment. */
const SPREAD_MS = 500;

/**
 * The waits of all followed containers before their next connection. After a long outage each would wait for up to
 * half a minute more by itself; so the first that reaches the server again wakes those that could not either.
 */
export class SharedBackoff {
  /** Containers whose present try was answered. */
  readonly #answered = new Set<string>();
  /** Those that could not reach the server, while they wait. */
  readonly #unreached = new Map<string, AbortController>();
  /** Those whose last try did not reach it. */
  readonly #lost = new Set<string>();

  /** The server answered that container. */
  answered(id: string): void {
    this.#answered.add(id);
    if (!this.#lost.delete(id)) return;
    for (const wake of this.#unreached.values()) wake.abort();
    this.#unreached.clear();
  }

  /** The wait after this many failed tries (0: one), the last of which ended like this. */
  async pause(context: ReadContext, id: string, attempt: number, end: StreamEnd): Promise<void> {
    const { clock, random } = context;
    const atLeastMs = end.kind === 'broken' ? retryAfterMs(end.error) : 0;
    const waitMs = backoffMs(RECONNECT_POLICY, attempt, { random, atLeastMs });
    // One that was answered and cut then is not helped by being faster.
    const wasAnswered = this.#answered.delete(id);
    if (wasAnswered || end.kind !== 'broken' || !ONE_CAUSE.some((kind) => isKubeError(end.error, kind)))
      return sleep(clock, waitMs, context.signal);
    this.#lost.add(id);
    const wake = new AbortController();
    this.#unreached.set(id, wake);
    const signal = AbortSignal.any([context.signal, wake.signal]);
    try {
      await sleep(clock, waitMs, signal);
    } catch (error) {
      if (context.signal.aborted) throw error;
      await sleep(clock, random() * SPREAD_MS, context.signal);
    } finally {
      this.#unreached.delete(id);
    }
  }
}
