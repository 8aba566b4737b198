import type { Value, ValueMap } from '../value/value.ts';

/** Returns the table at a dotted path, or undefined. */
export function tableAt(values: ValueMap, path: string): ValueMap | undefined {
  let table = values;
  for (const key of path.split('.')) {
    const next = table.get(key);
    if (!(next instanceof Map)) return undefined;
    table = next;
  }
  return table;
}

/** Returns the value at a dotted path; undefined if it is missing or a table. */
export function valueAt(values: ValueMap, path: string): Value | undefined {
  const dot = path.lastIndexOf('.');
  const table = dot === -1 ? values : tableAt(values, path.slice(0, dot));
  const value = table?.get(path.slice(dot + 1));
  return value instanceof Map ? undefined : value;
}
