import type { Value, ValueMap } from '../value/value.ts';

/** Returns a deep copy: changes to it do not affect the original. */
export function copyValue(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyValue);
  return value instanceof Map ? copyMap(value) : value;
}

export function copyMap(map: ValueMap): ValueMap {
  const copy: ValueMap = new Map();
  for (const [key, value] of map) copy.set(key, copyValue(value));
  return copy;
}
