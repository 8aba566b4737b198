import type { Field, Shape, StructShape } from '../schema/shape.ts';
import { isObject, type Json } from './items.ts';

/**
 * With the fields that Go writes although they are unset (structs that are no pointers, fields without
 * `omitempty`): a field that was one of these before is changed, not added.
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
    default:
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
  // Custom resources are kept as they came.
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
    default:
      return null;
  }
}
