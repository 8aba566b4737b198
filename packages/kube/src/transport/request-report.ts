import type { Wire, WireRequest } from './wire.ts';

/** Returns a function that reports, once, the outcome of a request that starts now. */
export function requestReport(wire: Wire, request: WireRequest, url: URL) {
  const startedAt = performance.now();
  let isReported = false;
  return (status: number | undefined, error?: unknown): void => {
    if (isReported) return;
    isReported = true;
    wire.onRequest?.({
      method: request.method,
      url: url.href,
      status,
      durationMs: Math.round(performance.now() - startedAt),
      error: error === undefined ? undefined : error instanceof Error ? error.message : String(error),
      ...(status === undefined && request.signal?.aborted === true ? { isCanceled: true } : {}),
    });
  };
}
