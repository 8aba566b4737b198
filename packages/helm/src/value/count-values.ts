import type { Value } from './value.ts';

/** Counts the values in a list or map recursively. Shared values count once. */
export function countValues(value: Value): number {
  const seen = new Set<Value>();
  const count = (one: Value): number => {
    if (!(one instanceof Map || Array.isArray(one)) || seen.has(one)) return 0;
    seen.add(one);
    let sum = 0;
    for (const item of one.values()) sum += 1 + count(item);
    return sum;
  };
  return count(value);
}
