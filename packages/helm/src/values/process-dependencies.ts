import type { Chart, ChartDependency } from '../chart/chart.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { parseConstraint, satisfies } from '../version/constraint.ts';
import { parseVersion, VersionError } from '../version/version.ts';
import { coalesceValues } from './coalesce.ts';
import { importValues } from './import-values.ts';
import { tableAt, valueAt } from './table-path.ts';

/**
 * Returns the chart with the sub-charts that the values enable, under their aliases, and with the values that it
 * imports from them; does not change the given chart. Call it before rendering; a release stores its result. Conditions
 * win over tags; without either a sub-chart is enabled.
 * https://helm.sh/docs/topics/charts/#tags-and-condition-fields-in-dependencies
 * @throws CodedError `values-do-not-fit` if the values of a sub-chart are not a table
 */
export function processDependencies(chart: Chart, values: ValueMap): Chart {
  return importValues(keepEnabled(chart, values, ''));
}

type Requirement = { -readonly [Key in keyof ChartDependency]: ChartDependency[Key] };

function keepEnabled(chart: Chart, values: ValueMap, path: string): Chart {
  const { dependencies: listed } = chart.metadata;
  if (listed === undefined) return chart;
  const unlisted = chart.dependencies.filter(
    (one) => !listed.some((requirement) => answers(one, requirement)),
  );
  const aliased = listed.flatMap((requirement) => {
    const found = chart.dependencies.find((one) => answers(one, requirement));
    return found === undefined ? [] : [rename(found, requirement.alias)];
  });
  const requirements: Requirement[] = listed.map((one) => ({
    ...one,
    name: one.alias || one.name,
    enabled: true,
  }));
  const all: Chart = { ...chart, dependencies: [...unlisted, ...aliased] };

  const seen = coalesceValues(all, values);
  applyTags(requirements, seen);
  applyConditions(requirements, seen, path);

  const disabled = new Set(requirements.filter(({ enabled }) => !enabled).map(({ name }) => name));
  const kept = requirements.filter(({ name }) => !disabled.has(name));
  const { dependencies: _listed, ...metadata } = chart.metadata;
  return {
    ...chart,
    metadata: kept.length === 0 ? metadata : { ...metadata, dependencies: kept },
    dependencies: all.dependencies
      .filter((one) => !disabled.has(one.metadata.name))
      .map((one) => keepEnabled(one, seen, `${path}${one.metadata.name}.`)),
  };
}

function answers(chart: Chart, { name, version = '' }: ChartDependency): boolean {
  if (chart.metadata.name !== name) return false;
  try {
    return satisfies(parseVersion(chart.metadata.version), parseConstraint(version));
  } catch (error) {
    if (error instanceof VersionError) return false;
    throw error;
  }
}

function rename(chart: Chart, alias: string | undefined): Chart {
  return alias ? { ...chart, metadata: { ...chart.metadata, name: alias } } : chart;
}

/** One true tag enables, whatever the others are; if all set tags are false, they disable. */
function applyTags(requirements: readonly Requirement[], values: ValueMap): void {
  const tags = tableAt(values, 'tags');
  if (tags === undefined) return;
  for (const requirement of requirements) {
    const states = (requirement.tags ?? [])
      .map((tag) => tags.get(tag))
      .filter((state) => state !== undefined);
    requirement.enabled = states.includes(true) || !states.includes(false);
  }
}

/** The first condition whose value is a boolean decides. */
function applyConditions(requirements: readonly Requirement[], values: ValueMap, path: string): void {
  for (const requirement of requirements) {
    for (const condition of (requirement.condition ?? '').trim().split(',')) {
      const value: Value | undefined = condition === '' ? undefined : valueAt(values, path + condition);
      if (typeof value === 'boolean') {
        requirement.enabled = value;
        break;
      }
    }
  }
}
