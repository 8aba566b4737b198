import type { Chart } from '../chart/chart.ts';
import { helmFailure, type SchemaIssue, type SchemaProblem } from '../failures.ts';
import { bytesToText } from '../value/bytes.ts';
import { goTypeOf } from '../value/type.ts';
import type { ValueMap } from '../value/value.ts';
import { compileSchema, SchemaError } from './compile-schema.ts';
import { describeIssues } from './describe-issues.ts';
import { plainData } from './plain-data.ts';

/**
 * Validates the values that a chart's templates will see against its values.schema.json, and those of its sub-charts
 * against theirs (https://helm.sh/docs/topics/charts/#schema-files). Never fetches anything that a schema refers to.
 * @throws CodedError `values-do-not-fit`, naming every mismatch
 */
export async function validateValues(chart: Chart, values: ValueMap): Promise<void> {
  const issues = await issuesOf(chart, values);
  if (issues.length > 0) throw helmFailure('values-do-not-fit', { of: 'schema', issues });
}

async function issuesOf(chart: Chart, values: ValueMap): Promise<SchemaIssue[]> {
  const issues: SchemaIssue[] = [];
  const { name } = chart.metadata;
  if (chart.schema !== undefined) {
    const problem = await validateOne(bytesToText(chart.schema), values);
    if (problem !== undefined) issues.push({ chart: name, problem });
  }
  for (const dependency of chart.dependencies) {
    const subchart = values.get(dependency.metadata.name);
    if (subchart instanceof Map) issues.push(...(await issuesOf(dependency, subchart)));
    else if (subchart !== undefined && subchart !== null) {
      const line = `invalid type for values: expected object (map), got ${goTypeOf(subchart)}`;
      issues.push({ chart: dependency.metadata.name, problem: { of: 'values', lines: [line], more: 0 } });
    }
  }
  return issues;
}

async function validateOne(schema: string, values: ValueMap): Promise<SchemaProblem | undefined> {
  try {
    const validate = await compileSchema(schema);
    return validate(plainData(values)) ? undefined : describeIssues(validate.errors ?? []);
  } catch (error) {
    if (error instanceof SchemaError) return error.problem;
    // The schema refers to itself endlessly, or is nested too deeply.
    if (error instanceof RangeError) return { of: 'endless' };
    throw error;
  }
}
