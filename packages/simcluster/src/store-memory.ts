import { randomUUID } from 'node:crypto';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { ApiError, alreadyExists, parseResource } from './api-error.ts';
import { copyJson, freezeJson } from './json-value.ts';
import { ObjectTable } from './object-table.ts';
import type { Store, StoredObject, StoreEvent } from './store.ts';
import { ObjectIndex } from './store-index.ts';

/** Events kept for watches; older ones are compacted away. */
const HISTORY_EVENTS = 20_000;

export interface StoreOptions {
  readonly clock: Clock;
  /** Where uids come from when an object brings none. */
  readonly newUid?: () => string;
  readonly historyEvents?: number;
}

interface Collection {
  /** By namespace ('' for what has none), then by name. */
  readonly spaces: Map<string, ObjectTable>;
  /** Objects of all namespaces in order; undefined after any change. */
  all: readonly StoredObject[] | undefined;
  readonly indexes: Map<string, ObjectIndex>;
  readonly subscribers: Set<(event: StoreEvent) => void>;
}

/** The simulated etcd in memory: see store.ts. */
export function createStore(options: StoreOptions): Store {
  const collections = new Map<string, Collection>();
  const limit = options.historyEvents ?? HISTORY_EVENTS;
  const observers = new Set<(resource: string, event: StoreEvent) => void>();
  let history: { readonly resource: string; readonly event: StoreEvent }[] = [];
  let resourceVersion = 1;
  let compactedAt = 0;
  let objectsListed = 0;

  const collection = (resource: string): Collection => {
    let found = collections.get(resource);
    if (found === undefined) {
      found = { spaces: new Map(), all: undefined, indexes: new Map(), subscribers: new Set() };
      collections.set(resource, found);
    }
    return found;
  };
  const find = (resource: string, namespace: string | undefined, name: string) =>
    collection(resource)
      .spaces.get(namespace ?? '')
      ?.get(name);
  const handedOut = (objects: readonly StoredObject[]): readonly StoredObject[] => {
    objectsListed += objects.length;
    return objects;
  };

  const publish = (resource: string, event: StoreEvent): void => {
    history.push({ resource, event });
    if (history.length > limit * 1.25) {
      const cut = history.length - limit;
      compactedAt = history[cut - 1]?.event.resourceVersion ?? compactedAt;
      history = history.slice(cut);
    }
    for (const callback of [...collection(resource).subscribers]) callback(event);
    for (const callback of [...observers]) callback(resource, event);
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
    const frozen = freezeJson(object);
    const { namespace = '', name } = object.metadata;
    let space = target.spaces.get(namespace);
    if (space === undefined) {
      space = new ObjectTable();
      target.spaces.set(namespace, space);
    }
    if (type === 'DELETED') space.delete(name);
    else space.set(name, frozen);
    target.all = undefined;
    for (const index of target.indexes.values())
      index.change(before, type === 'DELETED' ? undefined : frozen);
    publish(resource, { type, object: frozen, before, resourceVersion });
    return frozen;
  };

  return {
    get: find,

    list(resource, namespace) {
      const target = collection(resource);
      if (namespace !== undefined) return handedOut(target.spaces.get(namespace)?.list() ?? []);
      target.all ??= inOrder(target.spaces);
      return handedOut(target.all);
    },

    index(resource, name, keysOf) {
      const target = collection(resource);
      let index = target.indexes.get(name);
      if (index === undefined) {
        index = new ObjectIndex(keysOf, inOrder(target.spaces));
        target.indexes.set(name, index);
      }
      const made = index;
      return { of: (key) => handedOut(made.of(key)), count: (key) => made.count(key) };
    },

    create(resource, source) {
      const object = { ...(copyJson(source, true) as StoredObject) };
      object.metadata = { ...object.metadata };
      const { metadata } = object;
      if (typeof metadata?.name !== 'string' || metadata.name === '') {
        throw new ApiError(422, 'Invalid', `an object of ${resource} without metadata.name`);
      }
      if (find(resource, metadata.namespace, metadata.name) !== undefined) {
        throw alreadyExists(parseResource(resource), metadata.name);
      }
      metadata.uid ??= (options.newUid ?? randomUUID)();
      metadata.creationTimestamp ??= `${new Date(options.clock.now()).toISOString().slice(0, 19)}Z`;
      return write(resource, object, 'ADDED', undefined);
    },

    update(resource, namespace, name, change) {
      const before = find(resource, namespace, name);
      if (before === undefined) return undefined;
      const object = copyJson(before, false) as StoredObject;
      if (change(object) === false) return before;
      return write(resource, object, 'MODIFIED', before);
    },

    replace(resource, before, fields) {
      const { namespace, name } = before.metadata;
      if (find(resource, namespace, name) !== before)
        throw new Error(`${resource} ${name} has changed since`);
      const object = { ...before, ...fields } as StoredObject;
      object.metadata = { ...object.metadata };
      return write(resource, object, 'MODIFIED', before);
    },

    remove(resource, namespace, name) {
      const before = find(resource, namespace, name);
      if (before === undefined) return undefined;
      return write(resource, { ...before, metadata: { ...before.metadata } }, 'DELETED', before);
    },

    subscribe(resource, callback) {
      const { subscribers } = collection(resource);
      const own = (event: StoreEvent) => callback(event);
      subscribers.add(own);
      return () => subscribers.delete(own);
    },

    subscribeAll(callback) {
      const own = (resource: string, event: StoreEvent) => callback(resource, event);
      observers.add(own);
      return () => observers.delete(own);
    },

    resources: () => [...collections].filter(([, { spaces }]) => spaces.size > 0).map(([name]) => name),

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

    get objectsListed() {
      return objectsListed;
    },

    compact() {
      compactedAt = resourceVersion;
      history = [];
    },
  };
}

/** All objects of a resource in the order of etcd's keys, where a namespace ends with a slash. */
function inOrder(spaces: ReadonlyMap<string, ObjectTable>): readonly StoredObject[] {
  const namespaces = [...spaces.keys()].sort((a, b) => (`${a}/` < `${b}/` ? -1 : 1));
  return namespaces.flatMap((namespace) => spaces.get(namespace)?.list() ?? []);
}
