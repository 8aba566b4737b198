import { isObject, type JsonObject } from '../fields/items.ts';
import type { Field, MapShape, Shape, StructShape } from './shape.ts';

/**
 * A value after Go's types: no nulls, and nothing empty that `omitempty` leaves out. Fields come in the order
 * in which Go writes them.
 */
export function withoutEmpty(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case 'struct':
      return isObject(value) ? structWithoutEmpty(shape, value) : value;
    case 'map':
      return isObject(value) ? mapWithoutEmpty(shape, value) : value;
    case 'list':
      return Array.isArray(value) ? value.map((item) => withoutEmpty(shape.items, item)) : value;
    default:
      return value;
  }
}

function structWithoutEmpty(shape: StructShape, value: JsonObject): unknown {
  const rest = new Map(Object.entries(value));
  const kept: [string, unknown][] = [];
  for (const field of shape.fields.values()) {
    const inner = rest.get(field.name);
    rest.delete(field.name);
    if (inner === undefined || inner === null) continue;
    const full = withoutEmpty(field.shape, inner);
    if (!isOmitted(field, full)) kept.push([field.name, full]);
  }
  const others = [...rest].filter(([, inner]) => inner !== null && inner !== undefined);
  // apiVersion and kind are not among the fields of the types here.
  const isHead = ([name]: readonly [string, unknown]) => name === 'apiVersion' || name === 'kind';
  return Object.fromEntries([...others.filter(isHead), ...kept, ...others.filter((entry) => !isHead(entry))]);
}

function mapWithoutEmpty(shape: MapShape, value: JsonObject): unknown {
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, inner === null ? '' : withoutEmpty(shape.values, inner)]),
  );
}

function isOmitted(field: Field, value: unknown): boolean {
  // What a CustomResourceDefinition describes is kept as it came.
  if (field.number === 0 || field.always) return false;
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return field.shape.kind === 'map' && Object.keys(value).length === 0;
  return !field.pointer && (value === '' || value === 0 || value === false);
}
