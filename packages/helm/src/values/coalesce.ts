import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { Chart } from '../chart/chart.ts';
import { helmFailure } from '../failures.ts';
import { sprintf } from '../value/print.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { copyMap } from './copy.ts';

/** How values of two levels come together. */
export interface CoalesceOptions {
  /** Keep null values, for when they are needed later: processing dependencies does this. */
  readonly keepsNull?: boolean;
}

const GLOBAL = 'global';

/**
 * The values that a chart's templates see: those given over the chart's own, tables merged key by key, everything else
 * replaced; those of each sub-chart under its name, with the globals handed down. Where tables and other values meet, and
 * Helm warns of it, one of them is passed over without a word. A null given takes the chart's own
 * value away. Neither the chart nor `given` is changed. https://helm.sh/docs/chart_template_guide/subcharts_and_globals/
 *
 * As Helm 4.1.4; 3.17.2 also takes away, inside of tables, nulls that the chart has too.
 * @throws CodedError `values-do-not-fit` when the values of a sub-chart are no table
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

/** The chart's own values under those given. */
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

/** A sub-chart's globals: its own, under those of the chart above. */
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
 * Puts the values of `under` below those of `over`; `over` has the last word. Tables are merged; a null in `over` takes
 * away what `under` has, unless nulls are kept. Both are changed: `under` gets the nulls of `over`, as in Helm.
 */
export function mergeTables(over: ValueMap, under: ValueMap, options: CoalesceOptions = {}): ValueMap {
  const entries = [...under];
  // Seen when the same table is merged again, as the tables of import-values can be.
  for (const [key, given] of over) if (given === null) under.set(key, null);
  for (const [key, value] of entries) mergeEntry(over, key, value, options);
  return over;
}

/** Puts one value below what `over` has under its key: a table and anything else do not merge. */
function mergeEntry(over: ValueMap, key: string, value: Value, options: CoalesceOptions): void {
  const given = over.get(key);
  if (given === undefined) over.set(key, value);
  else if (given === null) {
    if (!options.keepsNull && value !== null) over.delete(key);
  } else if (given instanceof Map && value instanceof Map) mergeTables(given, value, options);
}
