import { GoInt, type Value } from '../value/value.ts';

/** Converts values for a JSON validator: to objects without a prototype, so that only the given keys exist. */
export function plainData(value: Value): unknown {
  if (value instanceof GoInt) return Number(value.value);
  if (Array.isArray(value)) return value.map(plainData);
  if (!(value instanceof Map)) return value;
  const object = Object.create(null) as Record<string, unknown>;
  for (const [key, one] of value) {
    Object.defineProperty(object, key, {
      value: plainData(one),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}
