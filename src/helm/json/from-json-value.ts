import type { Value, ValueMap } from '../value/value.ts';

/** What JSON.parse gives, as templates see it. */
export function fromJsonValue(value: unknown): Value {
  if (Array.isArray(value)) return value.map(fromJsonValue);
  if (typeof value === 'object' && value !== null) {
    const map: ValueMap = new Map();
    for (const [key, one] of Object.entries(value)) map.set(key, fromJsonValue(one));
    return map;
  }
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new TypeError(`${typeof value} is no JSON value`);
}
