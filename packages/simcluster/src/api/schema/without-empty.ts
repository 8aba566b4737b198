import { isObject, type JsonObject } from '../fields/items.ts';
import type { Field, MapShape, Shape, StructShape } from './shape.ts';

/**
 * Returns a value as Go's types write it: without nulls and without empty fields that `omitempty` omits, in Go's order
 * of fields.
 */
export function withoutEmpty(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case 'struct':
      return isObject(value) ? structWithoutEmpty(shape, value) : value;
    case 'map':
      return isObject(value) ? mapWithoutEmpty(shape, value) : value;
    case 'list':
      return Array.isArray(value) ? value.map((item) => withoutEmpty(shape.items, item)) : value;
    case 'any':
    case 'scalar':
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
  // The tables list no apiVersion and kind among a type's fields.
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
  // Values with a CustomResourceDefinition stay unchanged.
  if (field.number === 0 || field.always) return false;
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return field.shape.kind === 'map' && Object.keys(value).length === 0;
  return !field.pointer && (value === '' || value === 0 || value === false);
}
