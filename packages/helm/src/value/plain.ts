import type { Value } from './value.ts';

/** Converts the result of JSON.parse to a template value: every number is a float64, as in Go's encoding/json. */
export function fromPlain(plain: unknown): Value {
  if (plain === null || plain === undefined) return null;
  if (Array.isArray(plain)) return plain.map(fromPlain);
  if (typeof plain === 'object')
    return new Map(Object.entries(plain).map(([key, item]) => [key, fromPlain(item)]));
  return plain as boolean | string | number;
}
