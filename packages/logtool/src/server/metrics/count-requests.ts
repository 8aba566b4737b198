import type { MiddlewareHandler } from 'hono';
import type { ServerEnv } from '../services.ts';
import { routeName } from './route-name.ts';
import type { ServerMetrics } from './server-metrics.ts';

/** Counts each request once the head of its answer is known, refusals included. */
export function countRequests(
  metrics: Pick<ServerMetrics, 'answered'>,
  basePath: string,
): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    await next();
    metrics.answered(context.req.method, routeName(context.req.path, basePath), context.res.status);
  };
}
