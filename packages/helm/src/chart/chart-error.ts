import { LogtoolError } from '@logtool/kube/src/values/errors.ts';

/** A chart that cannot be used: `why` is worded as Helm words it. */
export function chartError(why: string, cause?: unknown): LogtoolError {
  return new LogtoolError({
    code: 'invalid-chart',
    what: 'the chart cannot be read',
    why,
    next: 'check the chart, or ask who made it for one that is sound',
    cause,
  });
}

/** Adds to an error of a chart where it was found: `why` becomes `where: why`. */
export function inChart(where: string, error: unknown): unknown {
  const why =
    error instanceof LogtoolError ? (error.why ?? error.what) : error instanceof Error ? error.message : '';
  return chartError(`${where}: ${why}`, error);
}
