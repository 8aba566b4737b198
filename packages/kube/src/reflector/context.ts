import type { CollectionQuery, KubeObject, ListOptions, ReflectorEvent, ResourceType } from '../client.ts';
import { isKubeError, type KubeError } from '../errors.ts';
import type { Wire } from '../transport/wire.ts';
import { sleep } from '../values/clock.ts';
import { backoffMs } from '../values/retry.ts';

/** As client-go's reflectors wait: 0.8 s at first, 30 s at most. */
const FIRST_BACKOFF_MS = 800;
const MAX_BACKOFF_MS = 30_000;

/** What one reflector works on. */
export interface ReflectorContext {
  readonly wire: Wire;
  readonly type: ResourceType;
  /** With the name, where one was given, as a field selector. */
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

/** Waits before the next try after `failures` failures in a row. */
export function waitAfter(context: ReflectorContext, failures: number): Promise<void> {
  return sleep(context.wire.clock, delayMs(context, failures), context.signal);
}

/** Tells of a failure and of the time of the next try, and waits for it; longer when the server asked for that. */
export async function* retryAfter(
  context: ReflectorContext,
  failures: number,
  error: KubeError,
): AsyncGenerator<Extract<ReflectorEvent<never>, { readonly type: 'state' }>, void> {
  const { clock } = context.wire;
  const retryInMs = Math.max(delayMs(context, failures), error.retryAfterMs ?? 0);
  const untilMs = clock.steady() + retryInMs;
  yield { type: 'state', state: 'retrying', error, retryInMs };
  // Whoever was told may have taken a while.
  await sleep(clock, Math.max(0, untilMs - clock.steady()), context.signal);
}

function delayMs({ wire }: ReflectorContext, failures: number): number {
  return backoffMs(failures, { firstMs: FIRST_BACKOFF_MS, maxMs: MAX_BACKOFF_MS, random: wire.random });
}

/** The error as a KubeError; whatever is none, and the end of the signal, is thrown on. */
export function expectKubeError(context: ReflectorContext, error: unknown): KubeError {
  if (context.signal?.aborted || !isKubeError(error)) throw error;
  return error;
}
