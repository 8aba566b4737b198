import { sleep } from '../../domain/clock.ts';
import { backoffMs } from '../backoff.ts';
import type { CollectionQuery, KubeObject, ResourceType } from '../client.ts';
import { isKubeError, type KubeError } from '../errors.ts';
import type { Wire } from '../transport/wire.ts';

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
}

/** All objects at one version of the collection. */
export interface Snapshot<T extends KubeObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

/** Waits before the next try after `failures` failures in a row; longer when the server asked for it. */
export function waitAfter(context: ReflectorContext, failures: number, error?: KubeError): Promise<void> {
  const { wire, signal } = context;
  const options = { firstMs: FIRST_BACKOFF_MS, maxMs: MAX_BACKOFF_MS, random: wire.random };
  const delayMs = Math.max(backoffMs(failures, options), error?.retryAfterMs ?? 0);
  return sleep(wire.clock, delayMs, signal);
}

/** The error as a KubeError; whatever is none, and the end of the signal, is thrown on. */
export function expectKubeError(context: ReflectorContext, error: unknown): KubeError {
  if (context.signal?.aborted || !isKubeError(error)) throw error;
  return error;
}
