import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { HelmFailures, SchemaIssue } from '../../src/failures.ts';

/** Returns the thrown issues of a chart and its sub-charts. */
export function schemaIssues(thrown: unknown): readonly SchemaIssue[] {
  if (!(thrown instanceof CodedError) || thrown.code !== 'values-do-not-fit') throw thrown;
  const data = thrown.data as HelmFailures['values-do-not-fit'];
  if (data.of !== 'schema') throw thrown;
  return data.issues;
}

/** Returns the lines with Helm's messages, each chart's name before its lines. */
export function issuesOf(thrown: unknown): readonly string[] {
  return schemaIssues(thrown).flatMap(({ chart, problem }) => {
    if (problem.of !== 'values') throw thrown;
    if (problem.more > 0) throw new Error(`${problem.more} lines were left out`);
    return [`${chart}:`, ...problem.lines];
  });
}
