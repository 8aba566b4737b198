import type { ListShape, Shape } from '../schema/shape.ts';
import type { FieldSet } from './field-set.ts';
import { fieldElement } from './field-set.ts';
import { isObject, itemElement, itemsByElement, type Json, type JsonObject, walkOf } from './items.ts';

/** Merges an applied configuration into the live object. Undefined means absent. */
export function mergeApplied(shape: Shape, live: Json, applied: Json): Json {
  if (applied === undefined) return live;
  if (live === undefined || live === null) {
    return applied;
  }
  const walk = walkOf(shape, live, applied);
  if (walk.kind === 'leaf') return applied;
  if (walk.kind === 'items') return mergeLists(walk.shape, live, applied);
  walk.kind satisfies 'fields';
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

/** Merges in the order of the live list, unless the configuration changes that order. */
function mergeLists(shape: ListShape, live: Json, applied: Json): Json {
  const left = Array.isArray(live) ? live : [];
  const right = Array.isArray(applied) ? applied : [];
  if (left.length === 0 && right.length === 0) return applied;
  return new ListMerge(shape, left, right).run();
}

/** Walks both lists side by side, item by item. */
class ListMerge {
  readonly #shape: ListShape;
  readonly #live: readonly Json[];
  readonly #liveItems: ReadonlyMap<string, readonly Json[]>;
  readonly #liveOrder: readonly string[];
  readonly #appliedItems: ReadonlyMap<string, readonly Json[]>;
  readonly #appliedOrder: readonly string[];
  /** Elements of both lists that are not merged yet, in the order of the configuration. */
  readonly #shared: string[];
  readonly #done = new Set<string>();
  readonly #result: Json[] = [];
  #liveAt = 0;
  #appliedAt = 0;

  constructor(shape: ListShape, live: readonly Json[], applied: readonly Json[]) {
    this.#shape = shape;
    this.#live = live;
    this.#liveItems = itemsByElement(shape, live);
    this.#liveOrder = live.map((item) => itemElement(shape, item));
    this.#appliedItems = itemsByElement(shape, applied);
    this.#appliedOrder = applied.map((item) => itemElement(shape, item));
    this.#shared = this.#appliedOrder.filter((element) => this.#liveItems.has(element));
  }

  run(): readonly Json[] {
    while (this.#liveAt < this.#liveOrder.length || this.#appliedAt < this.#appliedOrder.length) this.#step();
    return this.#result;
  }

  #step(): void {
    const live = this.#liveOrder[this.#liveAt];
    const applied = this.#appliedOrder[this.#appliedAt];
    if (live !== undefined) {
      if (live === applied) {
        this.#merge(live);
        this.#liveAt += 1;
        this.#appliedAt += 1;
        return;
      }
      if (!this.#appliedItems.has(live)) {
        this.#result.push(this.#live[this.#liveAt]);
        this.#liveAt += 1;
        return;
      }
      if (this.#done.has(live) || this.#isMoved(live, applied)) {
        this.#liveAt += 1;
        return;
      }
    }
    if (applied !== undefined) {
      this.#merge(applied);
      this.#appliedAt += 1;
    }
  }

  /** Whether the configuration moves the live element behind another one that both lists have. */
  #isMoved(live: string, applied: string | undefined): boolean {
    const [next] = this.#shared;
    return applied !== undefined && next !== undefined && next !== live;
  }

  #merge(element: string): void {
    const before = this.#liveItems.get(element) ?? [];
    this.#done.add(element);
    // Several live items with the same key cannot be distinguished: the applied item replaces all of them.
    const live = before.length === 1 ? before[0] : undefined;
    this.#result.push(mergeApplied(this.#shape.items, live, this.#appliedItems.get(element)?.[0]));
    if (this.#shared[0] === element) this.#shared.shift();
  }
}

/** Returns the value without the parts in a set; null if nothing is left, which differs from absent. */
export function without(shape: Shape, value: Json, gone: FieldSet): Json {
  const walk = walkOf(shape, value);
  switch (walk.kind) {
    case 'leaf':
      return value !== null && typeof value === 'object' ? null : value;
    case 'items':
      return Array.isArray(value) ? withoutItems(walk.shape, value, gone) : null;
    case 'fields':
      return isObject(value) ? withoutFields(walk.shapeOf, value, gone) : null;
  }
}

function withoutItems(shape: ListShape, list: readonly Json[], gone: FieldSet): Json {
  const kept = list.flatMap((item): Json[] => {
    const child = gone.children.get(itemElement(shape, item));
    if (child?.member === true) return [];
    return [child === undefined ? item : without(shape.items, item, child)];
  });
  return kept.length === 0 ? null : kept;
}

function withoutFields(shapeOf: (name: string) => Shape, object: JsonObject, gone: FieldSet): Json {
  const kept = Object.entries(object).flatMap(([name, inner]): [string, Json][] => {
    const child = gone.children.get(fieldElement(name));
    if (child?.member === true) return [];
    return [[name, child === undefined ? inner : without(shapeOf(name), inner, child)]];
  });
  return kept.length === 0 ? null : Object.fromEntries(kept);
}
