import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { Chart } from '../chart/chart.ts';
import { helmFailure } from '../failures.ts';
import { sprintf } from '../value/print.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { copyMap } from './copy.ts';

/** How to merge values of two levels. */
export interface CoalesceOptions {
  /** Keep null values for a later step: processing dependencies needs them. */
  readonly keepsNull?: boolean;
}

const GLOBAL = 'global';

/**
 * Returns the values that a chart's templates see: the given ones over the chart's own, with tables merged key by key
 * and everything else replaced; those of each sub-chart are under its name and include the globals. Where a table meets
 * another value, it drops one of them without the warning that Helm prints. A given null removes the chart's own value.
 * Changes neither the chart nor `given`. https://helm.sh/docs/chart_template_guide/subcharts_and_globals/
 *
 * Behaves like Helm 4.1.4; 3.17.2 also removes, inside tables, nulls that the chart has too.
 * @throws CodedError `values-do-not-fit` if the values of a sub-chart are not a table
 */
export function coalesceValues(chart: Chart, given: ValueMap, options: CoalesceOptions = {}): ValueMap {
  const values = copyMap(given);
  coalesceChart(chart, values, options);
  return values;
}

function coalesceChart(chart: Chart, values: ValueMap, options: CoalesceOptions): void {
  coalesceOwn(chart, values, options);
  for (const dependency of chart.dependencies) {
    const { name } = dependency.metadata;
    const table = values.has(name) ? (values.get(name) as Value) : new Map();
    if (!(table instanceof Map)) throw notATable(name, table);
    values.set(name, table);
    handDownGlobals(table, values);
    coalesceChart(dependency, table, options);
  }
}

function notATable(name: string, value: Value): CodedError {
  const why = `type mismatch on ${name}: ${sprintf('%t', [value])}`;
  return helmFailure('values-do-not-fit', { of: 'sub-chart', name, why });
}

/** Adds the chart's own values below the given ones. */
function coalesceOwn(chart: Chart, values: ValueMap, options: CoalesceOptions): void {
  for (const [key, own] of copyMap(chart.values)) {
    const given = values.get(key);
    if (given === undefined) values.set(key, own);
    else if (given === null && !options.keepsNull) values.delete(key);
    else if (given instanceof Map && own instanceof Map) {
      const isSubChart = chart.dependencies.some(({ metadata }) => metadata.name === key);
      mergeTables(given, own, { keepsNull: options.keepsNull || isSubChart });
    }
  }
}

/** Passes the globals to a sub-chart, over its own. */
function handDownGlobals(table: ValueMap, above: ValueMap): void {
  const globals = table.has(GLOBAL) ? table.get(GLOBAL) : new Map();
  const globalsAbove = above.has(GLOBAL) ? above.get(GLOBAL) : new Map();
  if (!(globals instanceof Map) || !(globalsAbove instanceof Map)) return;
  for (const [key, value] of globalsAbove) handDownGlobal(globals, key, value);
  table.set(GLOBAL, globals);
}

function handDownGlobal(globals: ValueMap, key: string, value: Value): void {
  const own = globals.get(key);
  if (!(value instanceof Map)) {
    if (!(own instanceof Map)) globals.set(key, value);
    return;
  }
  if (own !== undefined && !(own instanceof Map)) return;
  const merged: ValueMap = new Map(value);
  if (own !== undefined) mergeTables(merged, own, { keepsNull: true });
  globals.set(key, merged);
}

/**
 * Merges `under` below `over`; `over` wins. Merges tables; a null in `over` removes the value of `under`, unless nulls
 * are kept. Changes both: `under` gets the nulls of `over`, as in Helm.
 */
export function mergeTables(over: ValueMap, under: ValueMap, options: CoalesceOptions = {}): ValueMap {
  const entries = [...under];
  // Matters if the same table is merged again, as with tables of import-values.
  for (const [key, given] of over) if (given === null) under.set(key, null);
  for (const [key, value] of entries) mergeEntry(over, key, value, options);
  return over;
}

/** Merges one value below that of `over` for its key: a table does not merge with anything else. */
function mergeEntry(over: ValueMap, key: string, value: Value, options: CoalesceOptions): void {
  const given = over.get(key);
  if (given === undefined) over.set(key, value);
  else if (given === null) {
    if (!options.keepsNull && value !== null) over.delete(key);
  } else if (given instanceof Map && value instanceof Map) mergeTables(given, value, options);
}
