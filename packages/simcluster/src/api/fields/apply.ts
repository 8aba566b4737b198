import { sameJson } from '../../json-value.ts';
import type { Shape } from '../schema/shape.ts';
import {
  type Conflict,
  compareStates,
  conflictsOf,
  takeFromOthers,
  type Untouched,
  withoutServersOwn,
  withoutUntouched,
} from './change-owners.ts';
import { difference, EMPTY, type FieldSet, intersection, isEmpty, union } from './field-set.ts';
import type { Json } from './items.ts';
import { type Owner, type OwnerName, ownerId } from './managed.ts';
import { mergeApplied, without } from './merge.ts';
import { fieldsNamedBy, withNamedFields } from './owned.ts';

export interface Application {
  readonly shape: Shape;
  /** Without managedFields, with Go's zero values. */
  readonly live: Json;
  /** The configuration as the client sent it. */
  readonly config: Json;
  readonly owners: ReadonlyMap<string, Owner>;
  readonly name: OwnerName;
  readonly force: boolean;
  readonly time: string;
  readonly untouched: Untouched;
}

export type Applied =
  | { readonly object: Json; readonly owners: ReadonlyMap<string, Owner> }
  | { readonly conflicts: readonly Conflict[] };

/**
 * Performs server-side apply (kubernetes.io/docs/reference/using-api/server-side-apply): merges the configuration into
 * the live object, removes fields that this manager applied before and no longer applies (unless others own them), and
 * makes the manager the owner of all fields in the configuration.
 */
export function applyConfiguration(application: Application): Applied {
  const { shape, live, config, name, force, time, untouched } = application;
  const owners = new Map(application.owners);
  const id = ownerId(name);
  const last = owners.get(id);
  const named = withoutUntouched(fieldsNamedBy(shape, config), untouched);
  owners.set(id, { ...name, time: last?.time, set: named });
  const merged = mergeApplied(shape, live, config);
  const object = last === undefined || isEmpty(last.set) ? merged : pruned(shape, merged, last.set, owners);
  const changes = compareStates(shape, live, object, untouched);
  const conflicts = conflictsOf(owners, id, changes);
  if (conflicts.length > 0 && !force) return { conflicts };
  takeFromOthers(owners, id, changes);
  const own = owners.get(id);
  if (own !== undefined) {
    const set = withoutServersOwn(own.set);
    if (isEmpty(set)) owners.delete(id);
    else owners.set(id, { ...own, set, time: sameJson(live, object) ? last?.time : time });
  }
  return { object, owners };
}

/** Removes fields that were applied last time but not now; restores parts that have an owner or never had one. */
function pruned(shape: Shape, merged: Json, last: FieldSet, owners: ReadonlyMap<string, Owner>): Json {
  const lastNamed = withNamedFields(shape, last);
  const named = (value: Json) => withNamedFields(shape, fieldsNamedBy(shape, value));
  const removed = without(shape, merged, lastNamed);
  let owned = EMPTY;
  for (const { set } of owners.values()) owned = union(owned, set);
  const mergedSet = named(merged);
  const keptByOwners = union(named(removed), withNamedFields(shape, owned));
  const backed = without(shape, merged, difference(mergedSet, keptByOwners));
  return without(shape, merged, intersection(difference(mergedSet, named(backed)), lastNamed));
}
