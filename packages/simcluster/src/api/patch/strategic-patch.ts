import { ANY, type Field, type Shape } from '../schema/shape.ts';
import { isObject } from './merge-patch.ts';

/**
 * Applies a strategic merge patch
 * (kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch), with the directives
 * $patch, $deleteFromPrimitiveList, $retainKeys and $setElementOrder. The type defines which lists are
 * merged, and by which key. Changes neither argument.
 */
export function applyStrategicPatch(document: unknown, patch: unknown, shape: Shape): unknown {
  if (!isObject(patch)) return structuredClone(patch);
  if (patch.$patch === 'replace') return clean(patch);
  const entries = new Map<string, unknown>(isObject(document) ? Object.entries(document) : []);
  retainKeys(entries, patch.$retainKeys);
  for (const [key, value] of Object.entries(patch)) {
    const deletedFrom = /^\$deleteFromPrimitiveList\/(.*)$/.exec(key)?.[1];
    if (deletedFrom !== undefined) deleteFromList(entries, deletedFrom, value);
    else if (!key.startsWith('$')) patchField(entries, key, value, shape);
  }
  for (const [key, order] of Object.entries(patch)) {
    const field = /^\$setElementOrder\/(.*)$/.exec(key)?.[1];
    if (field === undefined || !Array.isArray(order)) continue;
    const list = entries.get(field);
    if (Array.isArray(list)) entries.set(field, ordered(fieldOf(shape, field), list, order));
  }
  return Object.fromEntries(entries);
}

function retainKeys(entries: Map<string, unknown>, retained: unknown): void {
  if (!Array.isArray(retained)) return;
  for (const key of [...entries.keys()]) if (!retained.includes(key)) entries.delete(key);
}

function deleteFromList(entries: Map<string, unknown>, key: string, deleted: unknown): void {
  const list = entries.get(key);
  if (!Array.isArray(list)) return;
  const gone = Array.isArray(deleted) ? deleted : [];
  entries.set(
    key,
    list.filter((item) => !gone.includes(item)),
  );
}

function patchField(entries: Map<string, unknown>, key: string, value: unknown, shape: Shape): void {
  const before = entries.get(key);
  if (value === null || isDirective(value, 'delete')) entries.delete(key);
  else if (Array.isArray(value)) entries.set(key, mergeLists(fieldOf(shape, key), before, value));
  else entries.set(key, applyStrategicPatch(before, value, innerShape(shape, key)));
}

function isDirective(value: unknown, directive: 'delete' | 'replace'): boolean {
  return isObject(value) && value.$patch === directive;
}

function fieldOf(shape: Shape, name: string): Field | undefined {
  return shape.kind === 'struct' ? shape.fields.get(name) : undefined;
}

function innerShape(shape: Shape, name: string): Shape {
  if (shape.kind === 'map') return shape.values;
  return fieldOf(shape, name)?.shape ?? ANY;
}

function itemShape(field: Field | undefined): Shape {
  return field?.shape.kind === 'list' ? field.shape.items : ANY;
}

function mergeLists(field: Field | undefined, before: unknown, patch: readonly unknown[]): unknown {
  const old: readonly unknown[] = Array.isArray(before) ? before : [];
  const key = field?.patch?.merge === true ? field.patch.key : undefined;
  // Merges a list of plain values as a set.
  if (key === '') return [...new Set([...old, ...patch])];
  if (key === undefined || patch.some((item) => isDirective(item, 'replace'))) {
    const isBareDirective = (item: unknown) =>
      isDirective(item, 'replace') && isObject(item) && Object.keys(item).length === 1;
    return clean(patch.filter((item) => !isBareDirective(item)));
  }
  const result = [...old];
  for (const item of patch) if (isObject(item)) mergeItem(result, key, item, itemShape(field));
  return result;
}

function mergeItem(
  list: unknown[],
  key: string,
  item: Readonly<Record<string, unknown>>,
  shape: Shape,
): void {
  const at = list.findIndex((other) => isObject(other) && other[key] === item[key]);
  if (isDirective(item, 'delete')) {
    if (at !== -1) list.splice(at, 1);
  } else if (at === -1) list.push(applyStrategicPatch({}, item, shape));
  else list[at] = applyStrategicPatch(list[at], item, shape);
}

function ordered(
  field: Field | undefined,
  list: readonly unknown[],
  order: readonly unknown[],
): readonly unknown[] {
  const key = field?.patch?.merge === true && field.patch.key !== '' ? field.patch.key : undefined;
  const identity = (item: unknown) => (key !== undefined && isObject(item) ? item[key] : item);
  const ranks = new Map(order.map((item, rank) => [identity(item), rank]));
  const rankOf = (item: unknown) => ranks.get(identity(item)) ?? Number.MAX_SAFE_INTEGER;
  return [...list].sort((a, b) => rankOf(a) - rankOf(b));
}

/** Returns the value without directives. */
function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.startsWith('$'))
      .map(([key, inner]) => [key, clean(inner)]),
  );
}
