import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { Context, MiddlewareHandler } from 'hono';
import { ROUTES } from '../../contract/routes.ts';
import { addressOf } from '../connections/peer.ts';
import { UnfinishedBodies } from '../connections/unfinished-bodies.ts';
import { serverFailure } from '../failures.ts';
import type { ServerEnv } from '../services.ts';
import { personOf } from '../session/person-of.ts';

/** Maximum bytes of a body. */
export const MAX_BODY_BYTES = 256 * 1024;
/** Maximum bytes of a body without sign-in: the longest token of the contract, and the JSON around it. */
export const MAX_SIGN_IN_BYTES = 17 * 1024;
/** Time limit from a request's headers until its whole body has arrived. */
export const BODY_TIMEOUT_MS = 15_000;

/** Reads the body of a request, and refuses a larger one, whether or not it announces its length. */
export function limitBody(clock: Clock, prefix: string): MiddlewareHandler<ServerEnv> {
  const bodies = new UnfinishedBodies();
  return async (context, next) => {
    if (context.req.method !== 'GET') {
      const isSignIn = context.req.path === prefix + ROUTES['POST /sign-in'].path;
      const maxBytes = isSignIn ? MAX_SIGN_IN_BYTES : MAX_BODY_BYTES;
      if (Number(context.req.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
      const owner = isSignIn ? `address ${addressOf(context.req.raw)}` : personOf(context.get('session'));
      const text = await readWithin(context, bodies, { clock, owner, maxBytes });
      // The framework keeps a read body here (a promise, whatever its types say), and routes take it from here. Its own
      // limit creates a new Request of the adapter's, which fails.
      Object.assign(context.req.bodyCache, { text: Promise.resolve(text) });
    }
    await next();
  };
}

interface ReadOptions {
  readonly clock: Clock;
  readonly owner: string;
  readonly maxBytes: number;
}

async function readWithin(
  { req }: Context,
  bodies: UnfinishedBodies,
  { clock, owner, maxBytes }: ReadOptions,
): Promise<string> {
  const { body } = req.raw;
  if (body === null) return '';
  const unfinished = bodies.begin(owner);
  const reader = body.getReader();
  let stopped: unknown;
  const stop = (reason: unknown) => {
    stopped = reason;
    // Pending reads then end, as if the body had ended.
    void reader.cancel().catch(() => undefined);
  };
  unfinished.signal.addEventListener('abort', () => stop(unfinished.signal.reason), { once: true });
  const cancelTimeout = clock.after(BODY_TIMEOUT_MS, () => stop(tooSlow()));
  try {
    const decoder = new TextDecoder();
    let text = '';
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (stopped !== undefined) throw stopped;
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      unfinished.add(value.byteLength);
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    cancelTimeout();
    unfinished.end();
    // Keeps nothing of a body that was not read to its end.
    void reader.cancel().catch(() => undefined);
  }
}

function tooLarge(limitBytes: number): CodedError {
  return serverFailure('body-too-large', { limitBytes, isSignIn: limitBytes === MAX_SIGN_IN_BYTES });
}

function tooSlow(): CodedError {
  return serverFailure('body-too-slow', { limitMs: BODY_TIMEOUT_MS });
}
