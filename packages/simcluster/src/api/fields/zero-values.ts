import type { Field, Shape, StructShape } from '../schema/shape.ts';
import { isObject, type Json } from './items.ts';

/**
 * Adds the fields that Go writes even when they are unset (structs that are not pointers, fields without `omitempty`),
 * so that a later value of such a field counts as changed, not as added.
 */
export function withZeroValues(shape: Shape, value: Json): Json {
  switch (shape.kind) {
    case 'struct':
      return isObject(value) ? structWithZeros(shape, value) : value;
    case 'map':
      return isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([key, inner]) => [key, withZeroValues(shape.values, inner)]),
          )
        : value;
    case 'list':
      return Array.isArray(value) ? value.map((item) => withZeroValues(shape.items, item)) : value;
    case 'any':
    case 'scalar':
      return value;
  }
}

function structWithZeros(shape: StructShape, value: Readonly<Record<string, Json>>): Json {
  const entries = new Map<string, Json>();
  for (const [name, inner] of Object.entries(value)) {
    const field = shape.fields.get(name);
    entries.set(name, field === undefined ? inner : withZeroValues(field.shape, inner));
  }
  for (const [name, field] of shape.fields) {
    if (entries.has(name)) continue;
    const zero = zeroOf(field);
    if (zero !== undefined) entries.set(name, zero);
  }
  return Object.fromEntries(entries);
}

function zeroOf(field: Field): Json {
  if (field.pointer) return field.always ? null : undefined;
  const { shape } = field;
  // Custom resources stay unchanged.
  if (field.number === 0) return undefined;
  if (shape.kind === 'struct') return withZeroValues(shape, {});
  if (!field.always) return undefined;
  if (shape.kind !== 'scalar') return null;
  switch (shape.scalar) {
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'bytes':
    case 'int-or-string':
    case 'micro-time':
    case 'quantity':
    case 'time':
      return null;
  }
}
