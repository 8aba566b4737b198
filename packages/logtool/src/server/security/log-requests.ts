import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { MiddlewareHandler } from 'hono';
import type { Logger, ServerEnv } from '../services.ts';

/** Logs each request with its answer's status, at debug. Logs no headers or bodies, and addresses without tokens. */
export function logRequests(logger: Logger, clock: Clock): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const startMs = clock.now();
    await next();
    const { pathname, searchParams } = new URL(context.req.url);
    if (searchParams.has('token')) searchParams.set('token', '***');
    const query = searchParams.toString();
    logger.debug(
      {
        method: context.req.method,
        path: query === '' ? pathname : `${pathname}?${query}`.slice(0, 2_000),
        status: context.res.status,
        durationMs: clock.now() - startMs,
      },
      'answered',
    );
  };
}
