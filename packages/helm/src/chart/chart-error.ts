import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { type ChartProblem, type HelmFailures, helmFailure } from '../failures.ts';

type ChartError = CodedError<'invalid-chart', HelmFailures['invalid-chart']>;

/** Returns the error for an unusable chart, with Helm's wording in `why`. */
export function chartError(why: string, cause?: unknown): ChartError {
  return chartFailure({ problem: 'refused', why }, cause);
}

/** Returns the error for a chart that logtool cannot use, although Helm may. */
export function chartFailure(problem: ChartProblem, cause?: unknown): ChartError {
  return helmFailure('invalid-chart', { where: [], ...problem }, { cause });
}

/** Adds the location of a chart to its error. */
export function inChart(where: string, error: unknown): ChartError {
  const data: HelmFailures['invalid-chart'] = isChartError(error)
    ? error.data
    : { where: [], problem: 'refused', why: error instanceof Error ? error.message : '' };
  return helmFailure('invalid-chart', { ...data, where: [where, ...data.where] }, { cause: error });
}

export function isChartError(error: unknown): error is ChartError {
  return error instanceof CodedError && error.code === 'invalid-chart';
}

/** Returns Helm's message about a refused chart; undefined for every other error. */
export function refusalOf(error: unknown): string | undefined {
  return isChartError(error) && error.data.problem === 'refused' ? error.data.why : undefined;
}
