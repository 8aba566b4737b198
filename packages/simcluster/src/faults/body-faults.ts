import { type Clock, sleep } from '@logtool/kube/src/values/clock.ts';
import type { Fault } from './fault.ts';

/** Thrown inside a body to make the server cut the connection. */
export class ConnectionCut extends Error {}

export interface BodyFaultContext {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Applies the faults that change a body to its chunks, in list order. */
export function faultyBody(
  body: AsyncIterable<Uint8Array>,
  faults: readonly Fault[],
  context: BodyFaultContext,
): AsyncIterable<Uint8Array> {
  let result = body;
  for (const fault of faults) {
    if (fault.kind === 'split') result = split(result, Math.max(1, fault.chunkBytes ?? 1));
    else if (['reset', 'clean-end', 'stall', 'truncate-json'].includes(fault.kind)) {
      result = after(result, fault, context);
    }
  }
  return result;
}

/** Whether the fault may change the length of a body. */
export function changesBody(fault: Fault): boolean {
  return ['reset', 'clean-end', 'stall', 'truncate-json', 'split'].includes(fault.kind);
}

async function* after(
  body: AsyncIterable<Uint8Array>,
  fault: Fault,
  context: BodyFaultContext,
): AsyncIterable<Uint8Array> {
  const limit = fault.afterBytes ?? 0;
  if (limit === 0 && fault.kind === 'reset') throw new ConnectionCut();
  const chunks = body[Symbol.asyncIterator]();
  try {
    const rest = yield* upTo(chunks, limit);
    if (rest === undefined) return;
    if (fault.kind === 'reset') throw new ConnectionCut();
    if (fault.kind !== 'stall') return;
    await stall(fault, context);
    if (rest.length > 0) yield rest;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}

/**
 * Yields the first bytes; returns the rest of the chunk that reaches the limit, or undefined if the body ends earlier.
 */
async function* upTo(
  chunks: AsyncIterator<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array, Uint8Array | undefined> {
  let left = limit;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    const chunk = next.value;
    if (chunk.length >= left) {
      if (left > 0) yield chunk.subarray(0, left);
      return chunk.subarray(left);
    }
    left -= chunk.length;
    yield chunk;
  }
  return undefined;
}

/** Sends nothing for the given time, or forever without one. */
async function stall(fault: Fault, { clock, signal }: BodyFaultContext): Promise<void> {
  if (fault.delayMs !== undefined) return sleep(clock, fault.delayMs, signal);
  if (signal.aborted) throw signal.reason;
  await new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

async function* split(body: AsyncIterable<Uint8Array>, chunkBytes: number): AsyncIterable<Uint8Array> {
  for await (const chunk of body) {
    for (let start = 0; start < chunk.length; start += chunkBytes) {
      yield chunk.subarray(start, start + chunkBytes);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
}
