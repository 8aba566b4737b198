import { isKubeError } from '@logtool/kube/src/errors.ts';
import { sleep } from '@logtool/kube/src/values/clock.ts';
import { backoffMs } from '@logtool/kube/src/values/retry.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { retryAfterMs } from '../run/read-failure.ts';
import type { StreamEnd } from './follow-connection.ts';

const RECONNECT_POLICY = { firstMs: 200, maxMs: 30_000 };
/** Causes that all containers share: an unreachable server, and refused credentials. */
const ONE_CAUSE = ['connection', 'unauthorized', 'credentials'] as const;
/** Woken containers reconnect spread over this time, instead of all at once. */
const SPREAD_MS = 500;

/**
 * The waits of all followed containers before their next connection. After a long outage each would wait for up to half
 * a minute more by itself; so the first that reaches the server again wakes the others.
 */
export class SharedBackoff {
  /** Containers whose current attempt was answered. */
  readonly #answered = new Set<string>();
  /** Waiting containers that could not reach the server. */
  readonly #unreached = new Map<string, AbortController>();
  /** Containers whose last attempt did not reach it. */
  readonly #lost = new Set<string>();

  /** Records that the server answered a container. */
  answered(id: string): void {
    this.#answered.add(id);
    if (!this.#lost.delete(id)) return;
    for (const wake of this.#unreached.values()) wake.abort();
    this.#unreached.clear();
  }

  /** Waits after this many failed attempts (0: one), the last of which ended like this. */
  async pause(context: ReadContext, id: string, attempt: number, end: StreamEnd): Promise<void> {
    const { clock, random } = context;
    const atLeastMs = end.kind === 'broken' ? retryAfterMs(end.error) : 0;
    const waitMs = backoffMs(RECONNECT_POLICY, attempt, { random, atLeastMs });
    // Reconnecting faster does not help a connection that was answered and then broke.
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
