import type { Shape } from '../schema/shape.ts';
import { EMPTY, type FieldSet, fieldElement, isEmpty, MEMBER, union } from './field-set.ts';
import { isObject, itemsByElement, type Json, walkOf } from './items.ts';

/** The fields that an applied configuration names: every leaf, and every entry of a map or list. */
export function fieldsNamedBy(shape: Shape, value: Json): FieldSet {
  const walk = walkOf(shape, value);
  const children = new Map<string, FieldSet>();
  switch (walk.kind) {
    case 'leaf':
      return MEMBER;
    case 'fields':
      if (!isObject(value)) return EMPTY;
      for (const [name, inner] of Object.entries(value)) {
        const set = fieldsNamedBy(walk.shapeOf(name), inner);
        const bare = inner === null || (isObject(inner) && Object.keys(inner).length === 0);
        const whole = bare || !walk.named(name) ? union(set, MEMBER) : set;
        if (!isEmpty(whole)) children.set(fieldElement(name), whole);
      }
      break;
    case 'items':
      for (const [element, items] of itemsByElement(walk.shape, value)) {
        children.set(
          element,
          items.length > 1 ? MEMBER : union(fieldsNamedBy(walk.shape.items, items[0]), MEMBER),
        );
      }
  }
  return children.size === 0 ? EMPTY : { member: false, children };
}

/** Fields of types, which a set holds only by what is inside of them, become members of it. */
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
    // An object without a schema is walked by its fields.
    const walk = walkOf(shape, {});
    return walk.kind === 'fields' ? { shape: walk.shapeOf(name), named: walk.named(name) } : undefined;
  }
  return shape.kind === 'list' ? { shape: shape.items, named: false } : undefined;
}
