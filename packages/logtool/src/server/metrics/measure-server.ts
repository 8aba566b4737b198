import type { MiddlewareHandler } from 'hono';
import { ROUTES } from '../../contract/routes.ts';
import { pathPattern } from '../routes/path-pattern.ts';
import type { ServerEnv, Streams } from '../services.ts';
import { CONTENT_TYPE } from './exposition.ts';
import { createServerMetrics, type ServerMetrics } from './server-metrics.ts';

const API_ROUTES = Object.values<{ readonly path: string }>(ROUTES).map(({ path }) => ({
  path,
  pattern: pathPattern(path),
}));

/** Starts measuring a server; the caller passes the returned functions to where requests, streams and records pass. */
export function measureServer(version: string) {
  const metrics = createServerMetrics(version);
  return {
    metrics,
    answer: answerMetrics(metrics),
    countRequests: (basePath: string) => countRequests(metrics, basePath),
    countStreams: (streams: Streams) => countStreams(streams, metrics),
  };
}

/** Returns the server for the metrics port: it serves /metrics without sign-in. */
function answerMetrics(metrics: Pick<ServerMetrics, 'text'>) {
  return (request: Request): Response => {
    if (new URL(request.url).pathname !== '/metrics') return new Response('see /metrics\n', { status: 404 });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response('use GET\n', { status: 405, headers: { allow: 'GET, HEAD' } });
    return new Response(request.method === 'HEAD' ? null : metrics.text(), {
      headers: {
        'content-type': CONTENT_TYPE,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    });
  };
}

/** Counts each request once the status of its answer is known, refusals included. */
function countRequests(
  metrics: Pick<ServerMetrics, 'answered'>,
  basePath: string,
): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    await next();
    metrics.answered(context.req.method, routeName(context.req.path, basePath), context.res.status);
  };
}

/** Returns the same streams, counted. */
function countStreams(streams: Streams, metrics: Pick<ServerMetrics, 'streamBegan'>): Streams {
  return {
    open(session, kind) {
      const stream = streams.open(session, kind);
      const leave = metrics.streamBegan(kind);
      let isOver = false;
      return {
        signal: stream.signal,
        end() {
          stream.end();
          if (!isOver) leave();
          isOver = true;
        },
      };
    },
  };
}

/** Returns the contract route of a path (`/contexts/{context}/logs`), else the path's purpose. */
export function routeName(path: string, basePath: string): string {
  const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  if (below === '/healthz') return 'probe';
  const ofApi = /^\/api\/v1(\/.*)$/.exec(below)?.[1];
  if (ofApi !== undefined) return API_ROUTES.find(({ pattern }) => pattern.test(ofApi))?.path ?? 'unknown';
  return /\.\w+$/.test(below) ? 'file' : 'page';
}
