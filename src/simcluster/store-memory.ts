import { randomUUID } from 'node:crypto';
import type { Clock } from '../domain/clock.ts';
import { ApiError, alreadyExists, parseResource } from './api-error.ts';
import type { Store, StoredObject, StoreEvent } from './store.ts';

/** Events kept for watches; older ones are compacted away. */
const HISTORY_EVENTS = 20_000;

export interface StoreOptions {
  readonly clock: Clock;
  /** Where uids come from when an object brings none. */
  readonly newUid?: () => string;
  readonly historyEvents?: number;
}

interface Collection {
  readonly objects: Map<string, StoredObject>;
  /** Keys in order; undefined after a change of the set. */
  keys: readonly string[] | undefined;
  /** Objects in the order of their keys; undefined after any change. A list that was handed out never changes. */
  sorted: readonly StoredObject[] | undefined;
  readonly subscribers: Set<(event: StoreEvent) => void>;
}

/** The simulated etcd in memory: see store.ts. */
export function createStore(options: StoreOptions): Store {
  const collections = new Map<string, Collection>();
  const limit = options.historyEvents ?? HISTORY_EVENTS;
  let history: { readonly resource: string; readonly event: StoreEvent }[] = [];
  let resourceVersion = 1;
  let compactedAt = 0;

  const collection = (resource: string): Collection => {
    let found = collections.get(resource);
    if (found === undefined) {
      found = { objects: new Map(), keys: undefined, sorted: undefined, subscribers: new Set() };
      collections.set(resource, found);
    }
    return found;
  };

  const publish = (resource: string, event: StoreEvent): void => {
    history.push({ resource, event });
    if (history.length > limit * 1.25) {
      const cut = history.length - limit;
      compactedAt = history[cut - 1]?.event.resourceVersion ?? compactedAt;
      history = history.slice(cut);
    }
    for (const callback of [...collection(resource).subscribers]) callback(event);
  };

  const write = (
    resource: string,
    object: StoredObject,
    type: StoreEvent['type'],
    before: StoredObject | undefined,
  ): StoredObject => {
    const target = collection(resource);
    resourceVersion += 1;
    object.metadata.resourceVersion = String(resourceVersion);
    const frozen = deepFreeze(object);
    const key = keyOf(object.metadata.namespace, object.metadata.name);
    if (type === 'DELETED') target.objects.delete(key);
    else target.objects.set(key, frozen);
    target.sorted = undefined;
    if (type !== 'MODIFIED') target.keys = undefined;
    publish(resource, { type, object: frozen, before, resourceVersion });
    return frozen;
  };

  return {
    get: (resource, namespace, name) => collection(resource).objects.get(keyOf(namespace, name)),

    list(resource, namespace) {
      const target = collection(resource);
      target.keys ??= [...target.objects.keys()].sort();
      target.sorted ??= target.keys
        .map((key) => target.objects.get(key))
        .filter((object) => object !== undefined);
      if (namespace === undefined) return target.sorted;
      return target.sorted.filter((object) => object.metadata.namespace === namespace);
    },

    create(resource, source) {
      const object = copy(source) as StoredObject;
      const { metadata } = object;
      if (typeof metadata?.name !== 'string' || metadata.name === '') {
        throw new ApiError(422, 'Invalid', `an object of ${resource} without metadata.name`);
      }
      if (collection(resource).objects.has(keyOf(metadata.namespace, metadata.name))) {
        throw alreadyExists(parseResource(resource), metadata.name);
      }
      metadata.uid ??= (options.newUid ?? randomUUID)();
      metadata.creationTimestamp ??= `${new Date(options.clock.now()).toISOString().slice(0, 19)}Z`;
      return write(resource, object, 'ADDED', undefined);
    },

    update(resource, namespace, name, change) {
      const before = collection(resource).objects.get(keyOf(namespace, name));
      if (before === undefined) return undefined;
      const object = copy(before) as StoredObject;
      if (change(object) === false) return before;
      return write(resource, object, 'MODIFIED', before);
    },

    remove(resource, namespace, name) {
      const before = collection(resource).objects.get(keyOf(namespace, name));
      if (before === undefined) return undefined;
      return write(resource, copy(before) as StoredObject, 'DELETED', before);
    },

    subscribe(resource, callback) {
      const { subscribers } = collection(resource);
      const own = (event: StoreEvent) => callback(event);
      subscribers.add(own);
      return () => subscribers.delete(own);
    },

    since(resource, from) {
      if (from < compactedAt) return undefined;
      let low = 0;
      let high = history.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((history[middle]?.event.resourceVersion ?? 0) <= from) low = middle + 1;
        else high = middle;
      }
      return history
        .slice(low)
        .filter((entry) => entry.resource === resource)
        .map((entry) => entry.event);
    },

    get resourceVersion() {
      return resourceVersion;
    },

    compact() {
      compactedAt = resourceVersion;
      history = [];
    },
  };
}

/** Names hold no slash, so keys sort by namespace first, as etcd's do. */
function keyOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

function copy(value: unknown): unknown {
  return structuredClone(value);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
