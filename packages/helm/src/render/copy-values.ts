import type { Value, ValueMap } from '../value/value.ts';

/** A copy that templates may change; what was one map in two places still is. */
export function copyValues(values: ValueMap): ValueMap {
  const copies = new Map<object, Value>();
  const copy = (value: Value): Value => {
    if (value === null || typeof value !== 'object') return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(value)) {
      const list: Value[] = [];
      copies.set(value, list);
      for (const item of value) list.push(copy(item));
      return list;
    }
    if (!(value instanceof Map)) return value;
    const map: ValueMap = new Map();
    copies.set(value, map);
    for (const [key, item] of value) map.set(key, copy(item));
    return map;
  };
  return copy(values) as ValueMap;
}
