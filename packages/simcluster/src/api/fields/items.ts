import type { ListShape, Shape } from '../schema/shape.ts';
import { ANY } from '../schema/shape.ts';
import { keyElement, valueElement } from './field-set.ts';

export type Json = unknown;
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How to walk through a value; one without a schema is walked by its own structure. */
export type Walk =
  | { readonly kind: 'leaf' }
  | {
      readonly kind: 'fields';
      readonly shapeOf: (name: string) => Shape;
      readonly named: (name: string) => boolean;
    }
  | { readonly kind: 'items'; readonly shape: ListShape };

const LEAF: Walk = { kind: 'leaf' };

export function walkOf(shape: Shape, ...values: readonly Json[]): Walk {
  switch (shape.kind) {
    case 'scalar':
      return LEAF;
    case 'any':
      return values.some(isObject) &&
        values.every((value) => value === undefined || value === null || isObject(value))
        ? { kind: 'fields', shapeOf: () => ANY, named: () => false }
        : LEAF;
    case 'map':
      return shape.atomic ? LEAF : { kind: 'fields', shapeOf: () => shape.values, named: () => false };
    case 'struct':
      return shape.atomic
        ? LEAF
        : {
            kind: 'fields',
            shapeOf: (name) => shape.fields.get(name)?.shape ?? shape.others ?? ANY,
            named: (name) => shape.fields.has(name),
          };
    case 'list':
      return shape.relation === 'atomic' ? LEAF : { kind: 'items', shape };
  }
}

/** An item lacks a key field that has no default, so the list has no items by key. */
export class MissingKey extends Error {
  readonly key: string;

  constructor(key: string) {
    super(
      `associative list with keys has an element that omits key field ${JSON.stringify(key)} (and doesn't have default value)`,
    );
    this.key = key;
  }
}

/**
 * Returns the path element of an item in a set or in a list with keys.
 * @throws MissingKey
 */
export function itemElement(shape: ListShape, item: Json): string {
  if (shape.relation === 'set') return valueElement(item);
  const key: Record<string, unknown> = {};
  for (const name of shape.keys) {
    const value = isObject(item) && Object.hasOwn(item, name) ? item[name] : undefined;
    const field = shape.items.kind === 'struct' ? shape.items.fields.get(name) : undefined;
    const known = value ?? field?.defaultText;
    if (known === undefined) throw new MissingKey(name);
    key[name] = known;
  }
  return keyElement(key);
}

/** Groups items by their path elements; keeps all items with the same element. */
export function itemsByElement(shape: ListShape, list: Json): ReadonlyMap<string, readonly Json[]> {
  const found = new Map<string, Json[]>();
  for (const item of Array.isArray(list) ? list : []) {
    const element = itemElement(shape, item);
    const others = found.get(element);
    if (others === undefined) found.set(element, [item]);
    else others.push(item);
  }
  return found;
}
