import type { Value, ValueMap } from '../value/value.ts';

/** The table at a path with dots, or undefined when there is none. */
export function tableAt(values: ValueMap, path: string): ValueMap | undefined {
  let table = values;
  for (const key of path.split('.')) {
    const next = table.get(key);
    if (!(next instanceof Map)) return undefined;
    table = next;
  }
  return table;
}

/** The value at a path with dots, or undefined when there is none or it is a table. */
export function valueAt(values: ValueMap, path: string): Value | undefined {
  const dot = path.lastIndexOf('.');
  const table = dot === -1 ? values : tableAt(values, path.slice(0, dot));
  const value = table?.get(path.slice(dot + 1));
  return value instanceof Map ? undefined : value;
}
