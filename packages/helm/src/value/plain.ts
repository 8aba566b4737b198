import type { Value } from './value.ts';

/** What JSON.parse gives, as a value of templates: every number is a float64, as Go's encoding/json has it. */
export function fromPlain(plain: unknown): Value {
  if (plain === null || plain === undefined) return null;
  if (Array.isArray(plain)) return plain.map(fromPlain);
  if (typeof plain === 'object')
    return new Map(Object.entries(plain).map(([key, item]) => [key, fromPlain(item)]));
  return plain as boolean | string | number;
}
