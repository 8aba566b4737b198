import { isObject } from '../fields/items.ts';
import type { Field, Shape } from './shape.ts';

/**
 * What is left of a value after it has been through Go's types: no nulls, and nothing empty that `omitempty` leaves
 * out. Fields come in the order in which Go writes them.
 */
export function withoutEmpty(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case 'struct': {
      if (!isObject(value)) return value;
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
      // apiVersion and kind are no fields of the types here.
      const isHead = ([name]: readonly [string, unknown]) => name === 'apiVersion' || name === 'kind';
      return Object.fromEntries([
        ...others.filter(isHead),
        ...kept,
        ...others.filter((entry) => !isHead(entry)),
      ]);
    }
    case 'map':
      return isObject(value)
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([, inner]) => inner !== undefined)
              .map(([key, inner]) => [key, inner === null ? '' : withoutEmpty(shape.values, inner)]),
          )
        : value;
    case 'list':
      return Array.isArray(value) ? value.map((item) => withoutEmpty(shape.items, item)) : value;
    default:
      return value;
  }
}

function isOmitted(field: Field, value: unknown): boolean {
  // What a CustomResourceDefinition describes is kept as it came.
  if (field.number === 0 || field.always) return false;
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return field.shape.kind === 'map' && Object.keys(value).length === 0;
  return !field.pointer && (value === '' || value === 0 || value === false);
}
