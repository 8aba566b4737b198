import type { Shape } from '../schema/shape.ts';
import { type Comparison, compare } from './compare.ts';
import {
  difference,
  EMPTY,
  type FieldSet,
  fieldElement,
  intersection,
  isEmpty,
  setOf,
  union,
} from './field-set.ts';
import type { Json } from './items.ts';
import { type Owner, type OwnerName, ownerId } from './managed.ts';

/** Maximum number of Update entries; the oldest are merged into one. */
const MAX_UPDATERS = 10;
const OLD_UPDATES = 'ancient-changes';

/** Fields that the server itself writes and that have no owner. */
const SERVERS_OWN = setOf(
  ...[
    ['apiVersion'],
    ['kind'],
    ['metadata'],
    ...[
      'name',
      'namespace',
      'creationTimestamp',
      'selfLink',
      'uid',
      'clusterName',
      'generation',
      'managedFields',
      'resourceVersion',
    ].map((name) => ['metadata', name]),
  ].map((path) => path.map(fieldElement)),
);

/** Top-level and metadata fields that a write to this resource or subresource cannot change, such as `status`. */
export type Untouched = readonly (readonly string[])[];

export function withoutUntouched(set: FieldSet, untouched: Untouched): FieldSet {
  return untouched.reduce((kept, path) => withoutBranch(kept, path.map(fieldElement)), set);
}

function withoutBranch(set: FieldSet, path: readonly string[]): FieldSet {
  const [first, ...rest] = path;
  if (first === undefined) return EMPTY;
  const child = set.children.get(first);
  if (child === undefined) return set;
  const kept = withoutBranch(child, rest);
  const children = new Map(set.children);
  if (isEmpty(kept)) children.delete(first);
  else children.set(first, kept);
  return set.member || children.size > 0 ? { member: set.member, children } : EMPTY;
}

export interface Conflict {
  readonly owner: Owner;
  readonly set: FieldSet;
}

/** Returns the fields that other managers own and this write changes. */
export function conflictsOf(
  owners: ReadonlyMap<string, Owner>,
  id: string,
  changes: Comparison,
): readonly Conflict[] {
  const changed = union(changes.modified, changes.added);
  return [...owners].flatMap(([other, owner]) => {
    const set = other === id ? EMPTY : intersection(owner.set, changed);
    return isEmpty(set) ? [] : [{ owner, set }];
  });
}

/** Removes from all other owners the fields that this write changes or removes. */
export function takeFromOthers(owners: Map<string, Owner>, id: string, changes: Comparison): void {
  const gone = union(union(changes.modified, changes.added), changes.removed);
  for (const [other, owner] of owners) {
    if (other === id) continue;
    const set = difference(owner.set, gone);
    if (isEmpty(set)) owners.delete(other);
    else if (set !== owner.set) owners.set(other, { ...owner, set });
  }
}

export function compareStates(shape: Shape, before: Json, after: Json, untouched: Untouched): Comparison {
  const { added, modified, removed } = compare(shape, before, after);
  return {
    added: withoutUntouched(added, untouched),
    modified: withoutUntouched(modified, untouched),
    removed: withoutUntouched(removed, untouched),
  };
}

/** Call after a POST, PUT or PATCH: makes the writer the owner of the changed fields. Changes the map. */
export function ownUpdate(
  owners: Map<string, Owner>,
  name: OwnerName,
  changes: Comparison,
  time: string,
): void {
  const id = ownerId(name);
  // The writer's own entry keeps its fields and gains the changed ones, with a new time if there are any.
  takeFromOthers(owners, '', changes);
  const set = difference(union(changes.modified, changes.added), SERVERS_OWN);
  if (isEmpty(set)) return;
  const before = owners.get(id);
  owners.set(id, { ...name, time, set: before === undefined ? set : union(before.set, set) });
  capUpdaters(owners);
}

export function withoutServersOwn(set: FieldSet): FieldSet {
  return difference(set, SERVERS_OWN);
}

function capUpdaters(owners: Map<string, Owner>): void {
  const updaters = [...owners.values()].filter(({ operation }) => operation === 'Update');
  let count = updaters.length;
  if (count <= MAX_UPDATERS) return;
  updaters.sort((a, b) => Date.parse(a.time ?? '1970-01-01') - Date.parse(b.time ?? '1970-01-01'));
  const firstOf = new Map<string, Owner>();
  for (const owner of updaters) {
    if (count <= MAX_UPDATERS) return;
    const first = firstOf.get(owner.apiVersion);
    if (first === undefined) {
      firstOf.set(owner.apiVersion, owner);
      continue;
    }
    const bucket: OwnerName = { ...owner, manager: OLD_UPDATES, operation: 'Update', subresource: '' };
    const held = owners.get(ownerId(bucket)) ?? first;
    owners.delete(ownerId(first));
    owners.delete(ownerId(owner));
    owners.set(ownerId(bucket), { ...held, ...bucket, time: owner.time, set: union(held.set, owner.set) });
    count -= 1;
  }
}
