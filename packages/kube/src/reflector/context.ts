import type { CollectionQuery, KubeObject, ListOptions, ReflectorEvent, ResourceType } from '../client.ts';
import { isKubeError, type KubeError } from '../errors.ts';
import type { Wire } from '../transport/wire.ts';
import { sleep } from '../values/clock.ts';
import { Backoff } from '../values/retry.ts';

/** The waits of client-go's reflectors: first 0.8 s, at most 30 s. */
const RECONNECT_POLICY = { firstMs: 800, maxMs: 30_000 };

/** What one reflector works with. */
export interface ReflectorContext {
  readonly wire: Wire;
  readonly type: ResourceType;
  /** Includes the name, if given, as a field selector. */
  readonly query: CollectionQuery;
  readonly name: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly keep: ListOptions['keep'];
}

/** All objects at one version of the collection. */
export interface Snapshot<T extends KubeObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

/** Counts consecutive failures of one action that a reflector repeats. */
export function newBackoff({ wire }: ReflectorContext): Backoff {
  return new Backoff(RECONNECT_POLICY, wire.random);
}

/** Reports a failure and the time of the next attempt, then waits for it; longer if the server asks for that. */
export async function* retryAfter(
  context: ReflectorContext,
  backoff: Backoff,
  error: KubeError,
): AsyncGenerator<Extract<ReflectorEvent<never>, { readonly type: 'state' }>, void> {
  const { clock } = context.wire;
  const retryInMs = backoff.nextMs(error.retryAfterMs);
  const untilMs = clock.steady() + retryInMs;
  yield { type: 'state', state: 'retrying', error, retryInMs };
  // The listener may have taken some time.
  await sleep(clock, Math.max(0, untilMs - clock.steady()), context.signal);
}

/** Returns the error as a KubeError; rethrows any other error, and the abort reason of the signal. */
export function expectKubeError(context: ReflectorContext, error: unknown): KubeError {
  if (context.signal?.aborted || !isKubeError(error)) throw error;
  return error;
}
