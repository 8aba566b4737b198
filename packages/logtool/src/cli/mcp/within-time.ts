import { mcpFailure } from './failures.ts';
import type { McpReader } from './reader.ts';

/** Shorter than clients wait for an answer: many give up after 60 s. */
export const MAX_READ_MS = 25_000;

/** Returns a separate signal, so that a finished call leaves no timer behind. */
export function timeoutAfter({ clock }: Pick<McpReader, 'clock'>, ms: number) {
  const controller = new AbortController();
  const cancel = clock.after(ms, () => controller.abort());
  return { signal: controller.signal, cancel };
}

/** Reads something that is useless in part. Throws `read-too-slow` if it takes longer than clients wait. */
export async function withinTime<T>(
  reader: Pick<McpReader, 'clock'>,
  callSignal: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = timeoutAfter(reader, MAX_READ_MS);
  const signal = AbortSignal.any([callSignal, timeout.signal]);
  try {
    const found = await read(signal);
    signal.throwIfAborted();
    return found;
  } catch (error) {
    callSignal.throwIfAborted();
    if (timeout.signal.aborted) throw mcpFailure('read-too-slow', { limitMs: MAX_READ_MS });
    throw error;
  } finally {
    timeout.cancel();
  }
}
