import { CONTENT_TYPE } from './exposition.ts';
import type { ServerMetrics } from './server-metrics.ts';

/** The server of the metrics' own port: it knows /metrics and asks for no sign-in. */
export function answerMetrics(metrics: Pick<ServerMetrics, 'text'>) {
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
