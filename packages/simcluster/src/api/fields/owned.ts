import type { ListShape, Shape } from '../schema/shape.ts';
import { EMPTY, type FieldSet, fieldElement, isEmpty, MEMBER, union } from './field-set.ts';
import { isObject, itemsByElement, type Json, type JsonObject, type Walk, walkOf } from './items.ts';

/** Returns the fields in an applied configuration: every leaf, and every entry of a map or list. */
export function fieldsNamedBy(shape: Shape, value: Json): FieldSet {
  const walk = walkOf(shape, value);
  switch (walk.kind) {
    case 'leaf':
      return MEMBER;
    case 'fields':
      return isObject(value) ? setOf(fieldsOf(walk, value)) : EMPTY;
    case 'items':
      return setOf(itemsOf(walk.shape, value));
  }
}

function setOf(children: readonly (readonly [string, FieldSet])[]): FieldSet {
  return children.length === 0 ? EMPTY : { member: false, children: new Map(children) };
}

function fieldsOf(walk: Extract<Walk, { kind: 'fields' }>, object: JsonObject) {
  return Object.entries(object).flatMap(([name, inner]): [string, FieldSet][] => {
    const set = fieldsNamedBy(walk.shapeOf(name), inner);
    const bare = inner === null || (isObject(inner) && Object.keys(inner).length === 0);
    const whole = bare || !walk.named(name) ? union(set, MEMBER) : set;
    return isEmpty(whole) ? [] : [[fieldElement(name), whole]];
  });
}

function itemsOf(shape: ListShape, list: Json) {
  return [...itemsByElement(shape, list)].map(([element, items]): [string, FieldSet] => [
    element,
    items.length > 1 ? MEMBER : union(fieldsNamedBy(shape.items, items[0]), MEMBER),
  ]);
}

/** Adds as members those declared fields of which a set holds only inner parts. */
export function withNamedFields(shape: Shape, set: FieldSet): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [element, child] of set.children) {
    const inner = innerShape(shape, element);
    const whole = inner === undefined ? child : withNamedFields(inner.shape, child);
    const joins = inner?.named === true && whole.children.size > 0;
    children.set(element, joins ? { member: true, children: whole.children } : whole);
  }
  return { member: set.member, children };
}

function innerShape(shape: Shape, element: string): { shape: Shape; named: boolean } | undefined {
  if (element.startsWith('f:')) {
    const name = element.slice(2);
    // An object without a schema is walked by its own fields.
    const walk = walkOf(shape, {});
    return walk.kind === 'fields' ? { shape: walk.shapeOf(name), named: walk.named(name) } : undefined;
  }
  return shape.kind === 'list' ? { shape: shape.items, named: false } : undefined;
}
