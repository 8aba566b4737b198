import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { LogtoolError } from '../../domain/errors.ts';
import type { ServerEnv } from '../services.ts';

export const MAX_BODY_BYTES = 256 * 1024;

/** Refuses larger bodies, whether or not their length is said beforehand. */
export function limitBody(): MiddlewareHandler<ServerEnv> {
  return bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: () => {
      throw new LogtoolError({
        code: 'body-too-large',
        what: 'the request is too large',
        why: `a body may have ${MAX_BODY_BYTES / 1024} KiB`,
        next: 'ask for fewer sources at once',
      });
    },
  });
}
