import type { MiddlewareHandler } from 'hono';
import { LogtoolError } from '../../domain/errors.ts';
import type { ServerEnv } from '../services.ts';

export const MAX_BODY_BYTES = 256 * 1024;

/** Reads the body of a request, and refuses a larger one, whether or not its length is said beforehand. */
export function limitBody(): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    if (context.req.method !== 'GET') {
      if (Number(context.req.header('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
      const text = await readText(context.req.raw.body);
      // Where the framework keeps a body that was read (a promise, whatever its types say): routes take it from there.
      // Its own limit makes a new Request of the adapter's, which fails.
      Object.assign(context.req.bodyCache, { text: Promise.resolve(text) });
    }
    await next();
  };
}

async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(): LogtoolError {
  return new LogtoolError({
    code: 'body-too-large',
    what: 'the request is too large',
    why: `a body may have ${MAX_BODY_BYTES / 1024} KiB`,
    next: 'ask for fewer sources at once',
  });
}
