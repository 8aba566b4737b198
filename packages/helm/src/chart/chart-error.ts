import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { type HelmFailures, helmFailure } from '../failures.ts';

type ChartError = CodedError<'invalid-chart', HelmFailures['invalid-chart']>;

/** A chart that cannot be used: `why` is worded as Helm words it. */
export function chartError(why: string, cause?: unknown): ChartError {
  return helmFailure('invalid-chart', { why }, { cause });
}

/** Adds to an error of a chart where it was found: `why` becomes `where: why`. */
export function inChart(where: string, error: unknown): ChartError {
  const why = isChartError(error) ? error.data.why : error instanceof Error ? error.message : '';
  return chartError(`${where}: ${why}`, error);
}

export function isChartError(error: unknown): error is ChartError {
  return error instanceof CodedError && error.code === 'invalid-chart';
}
