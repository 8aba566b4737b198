import type { Chart } from '../chart/chart.ts';
import type { ValueMap } from '../value/value.ts';
import { coalesceValues, mergeTables } from './coalesce.ts';
import { copyMap } from './copy.ts';
import { tableAt } from './table-path.ts';

/** A table of a sub-chart's values, and its path in the parent chart's values; `.` is the top. */
interface ImportedTable {
  readonly child: string;
  readonly parent: string;
}

/**
 * Returns the chart with the values that its dependencies' `import-values` name, from the innermost chart outward. The
 * chart's own values win. https://helm.sh/docs/topics/charts/#importing-child-values-via-dependencies
 */
export function importValues(chart: Chart): Chart {
  const dependencies = chart.dependencies.map((one) => importValues(one));
  const below: Chart = { ...chart, dependencies };
  const { dependencies: listed } = chart.metadata;
  if (listed === undefined) return below;

  const values = coalesceValues(below, new Map(), { keepsNull: true });
  const imported: ValueMap = new Map();
  const requirements = listed.map((requirement) => {
    const wanted = (requirement['import-values'] ?? []).flatMap(importedTable);
    for (const { child, parent } of wanted) {
      const table = tableAt(values, `${requirement.name}.${child}`);
      if (table === undefined) continue;
      // Merging leaves nulls in the imported table, but in Helm not in an empty one.
      mergeTables(imported, nest(parent, table.size === 0 ? new Map() : table), { keepsNull: true });
    }
    return wanted.length === 0 ? requirement : { ...requirement, 'import-values': wanted };
  });
  return {
    ...below,
    metadata: { ...chart.metadata, dependencies: requirements },
    values: mergeTables(copyMap(values), imported, { keepsNull: true }),
  };
}

/** Returns a table under the sub-chart's `exports` by its name, or one given by both paths. Ignores anything else. */
function importedTable(item: unknown): ImportedTable[] {
  if (typeof item === 'string') return [{ child: `exports.${item}`, parent: '.' }];
  if (typeof item !== 'object' || item === null) return [];
  const { child, parent } = item as { readonly child?: unknown; readonly parent?: unknown };
  return [{ child: String(child), parent: String(parent) }];
}

function nest(path: string, table: ValueMap): ValueMap {
  if (path === '.') return table;
  let nested = table;
  for (const key of path.split('.').reverse()) nested = new Map([[key, nested]]);
  return nested;
}
