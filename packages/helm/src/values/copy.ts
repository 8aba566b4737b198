import type { Value, ValueMap } from '../value/value.ts';

/** A copy all the way down: nothing that changes it changes what it was made from. */
export function copyValue(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyValue);
  return value instanceof Map ? copyMap(value) : value;
}

export function copyMap(map: ValueMap): ValueMap {
  const copy: ValueMap = new Map();
  for (const [key, value] of map) copy.set(key, copyValue(value));
  return copy;
}
