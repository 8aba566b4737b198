import type { ListShape, Shape } from '../schema/shape.ts';
import type { FieldSet } from './field-set.ts';
import { fieldElement } from './field-set.ts';
import { isObject, itemElement, itemsByElement, type Json, walkOf } from './items.ts';

/** Lays an applied configuration over the live object. Undefined stands for what is not there. */
export function mergeApplied(shape: Shape, live: Json, applied: Json): Json {
  if (applied === undefined) return live;
  if (live === undefined || live === null) {
    // What is new still loses what it says twice.
    return applied;
  }
  const walk = walkOf(shape, live, applied);
  if (walk.kind === 'leaf') return applied;
  if (walk.kind === 'items') return mergeLists(walk.shape, live, applied);
  if (!isObject(live) || !isObject(applied)) return isBareObject(live) ? applied : live;
  if (Object.keys(live).length === 0 && Object.keys(applied).length === 0) return applied;
  const entries = new Map<string, Json>(Object.entries(live));
  for (const [name, inner] of Object.entries(applied)) {
    entries.set(name, mergeApplied(walk.shapeOf(name), entries.get(name), inner));
  }
  return Object.fromEntries(entries);
}

function isBareObject(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** In the order of the live list where the configuration changes nothing about it, else in the configuration's. */
function mergeLists(shape: ListShape, live: Json, applied: Json): Json {
  const left = Array.isArray(live) ? live : [];
  const right = Array.isArray(applied) ? applied : [];
  if (left.length === 0 && right.length === 0) return applied;
  const leftItems = itemsByElement(shape, left);
  const rightItems = itemsByElement(shape, right);
  const leftOrder = left.map((item) => itemElement(shape, item));
  const rightOrder = right.map((item) => itemElement(shape, item));
  const shared = rightOrder.filter((element) => leftItems.has(element));
  const done = new Set<string>();
  const result: Json[] = [];
  const take = (element: string) => {
    const before = leftItems.get(element) ?? [];
    done.add(element);
    // Which of several of the same key is meant, nobody knows: the new one takes their place.
    result.push(
      mergeApplied(shape.items, before.length === 1 ? before[0] : undefined, rightItems.get(element)?.[0]),
    );
    if (shared[0] === element) shared.shift();
  };
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const leftNext = leftOrder[l];
    const rightNext = rightOrder[r];
    if (leftNext !== undefined && leftNext === rightNext) {
      take(leftNext);
      l += 1;
      r += 1;
    } else if (leftNext !== undefined && !rightItems.has(leftNext)) {
      result.push(left[l]);
      l += 1;
    } else if (
      leftNext !== undefined &&
      (done.has(leftNext) || (rightNext !== undefined && shared[0] !== undefined && shared[0] !== leftNext))
    ) {
      l += 1;
    } else if (rightNext !== undefined) {
      take(rightNext);
      r += 1;
    }
  }
  return result;
}

/** The value without the parts that a set names; null where nothing is left, which is something else than not there. */
export function without(shape: Shape, value: Json, gone: FieldSet): Json {
  const walk = walkOf(shape, value);
  if (walk.kind === 'leaf') return value !== null && typeof value === 'object' ? null : value;
  if (walk.kind === 'items') {
    if (!Array.isArray(value)) return null;
    const kept: Json[] = [];
    for (const item of value) {
      const child = gone.children.get(itemElement(walk.shape, item));
      if (child?.member === true) continue;
      kept.push(child === undefined ? item : without(walk.shape.items, item, child));
    }
    return kept.length === 0 ? null : kept;
  }
  if (!isObject(value)) return null;
  const kept = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    const child = gone.children.get(fieldElement(name));
    if (child?.member === true) return [];
    return [[name, child === undefined ? inner : without(walk.shapeOf(name), inner, child)]];
  });
  return kept.length === 0 ? null : Object.fromEntries(kept);
}
