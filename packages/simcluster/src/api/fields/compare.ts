import { sameJson } from '../../json-value.ts';
import type { ListShape, Shape } from '../schema/shape.ts';
import { EMPTY, type FieldSet, fieldElement, MEMBER, union } from './field-set.ts';
import { isObject, itemsByElement, type Json, type Walk, walkOf } from './items.ts';

/** How the fields differ between two states of an object. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const NOTHING: Comparison = { added: EMPTY, modified: EMPTY, removed: EMPTY };

/** Compares two values by their shape; undefined means absent. */
export function compare(shape: Shape, before: Json, after: Json): Comparison {
  if (before === after) return NOTHING;
  const walk = walkOf(shape, before, after);
  if (walk.kind === 'leaf' || (isBare(before) && isBare(after))) return leaf(before, after);
  const comparisons =
    walk.kind === 'fields' ? compareFields(walk, before, after) : compareLists(walk.shape, before, after);
  return {
    added: gathered(comparisons, 'added', before === undefined),
    modified: gathered(comparisons, 'modified', false),
    removed: gathered(comparisons, 'removed', after === undefined),
  };
}

type ElementComparison = readonly [element: string, Comparison];

function compareFields(
  { shapeOf }: Extract<Walk, { kind: 'fields' }>,
  before: Json,
  after: Json,
): readonly ElementComparison[] {
  const [left, right] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].map((name) => [
    fieldElement(name),
    compare(shapeOf(name), own(left, name), own(right, name)),
  ]);
}

function compareLists(shape: ListShape, before: Json, after: Json): readonly ElementComparison[] {
  const [left, right] = [itemsByElement(shape, before), itemsByElement(shape, after)];
  const elements = new Set([...left.keys(), ...right.keys()]);
  return [...elements].map((element) => [
    element,
    compareItems(shape.items, left.get(element) ?? [], right.get(element) ?? []),
  ]);
}

function own(object: Readonly<Record<string, unknown>>, name: string): Json {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * Whether a value has no content to compare inside. Two such values are compared whole, to distinguish null from empty.
 */
function isBare(value: Json): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function leaf(before: Json, after: Json): Comparison {
  if (before === undefined) return { ...NOTHING, added: MEMBER };
  if (after === undefined) return { ...NOTHING, removed: MEMBER };
  return sameJson(before, after) ? NOTHING : { ...NOTHING, modified: MEMBER };
}

/** Compares items with the same key; treats several of them as one whole. */
function compareItems(shape: Shape, before: readonly Json[], after: readonly Json[]): Comparison {
  if (before.length <= 1 && after.length <= 1) return compare(shape, before[0], after[0]);
  if (before.length >= 2 && after.length >= 2) {
    return sameJson(before, after) ? NOTHING : { ...NOTHING, modified: MEMBER };
  }
  const changed = compare(
    shape,
    before.length === 1 ? before[0] : undefined,
    after.length === 1 ? after[0] : undefined,
  );
  return before.length >= 2
    ? { ...changed, removed: union(changed.removed, MEMBER) }
    : { ...changed, added: union(changed.added, MEMBER) };
}

function gathered(
  comparisons: readonly ElementComparison[],
  which: keyof Comparison,
  member: boolean,
): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [element, comparison] of comparisons) {
    const set = comparison[which];
    if (set.member || set.children.size > 0) children.set(element, set);
  }
  return member || children.size > 0 ? { member, children } : EMPTY;
}
