import { randomUUID } from 'node:crypto';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { ApiError, alreadyExists, parseResource } from '../api-error.ts';
import { copyJson, freezeJson } from '../json-value.ts';
import { ObjectIndex } from './object-index.ts';
import { ObjectTable } from './object-table.ts';
import type { KeysOf, Store, StoredObject, StoreEvent, StoreIndex } from './store.ts';

/** Events kept for watches; the store compacts older ones. */
const HISTORY_EVENTS = 20_000;

export interface StoreOptions {
  readonly clock: Clock;
  /** Makes the uid of an object that has none. */
  readonly newUid?: () => string;
  readonly historyEvents?: number;
}

interface Collection {
  /** By namespace ('' for cluster-scoped objects), then by name. */
  readonly spaces: Map<string, ObjectTable>;
  /** Objects of all namespaces in order; undefined after any change. */
  all: readonly StoredObject[] | undefined;
  readonly indexes: Map<string, ObjectIndex>;
  readonly subscribers: Set<(event: StoreEvent) => void>;
}

/** Creates the simulated etcd in memory: see store.ts. */
export function createStore(options: StoreOptions): Store {
  return new MemoryStore(options);
}

class MemoryStore implements Store {
  readonly #options: StoreOptions;
  readonly #collections = new Map<string, Collection>();
  readonly #observers = new Set<(resource: string, event: StoreEvent) => void>();
  readonly #history: EventHistory;
  #resourceVersion = 1;
  #objectsListed = 0;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#history = new EventHistory(options.historyEvents ?? HISTORY_EVENTS);
  }

  get resourceVersion(): number {
    return this.#resourceVersion;
  }

  get objectsListed(): number {
    return this.#objectsListed;
  }

  get(resource: string, namespace: string | undefined, name: string): StoredObject | undefined {
    return this.#collection(resource)
      .spaces.get(namespace ?? '')
      ?.get(name);
  }

  list(resource: string, namespace?: string): readonly StoredObject[] {
    const target = this.#collection(resource);
    if (namespace !== undefined) return this.#handOut(target.spaces.get(namespace)?.list() ?? []);
    target.all ??= inOrder(target.spaces);
    return this.#handOut(target.all);
  }

  index(resource: string, name: string, keysOf: KeysOf): StoreIndex {
    const target = this.#collection(resource);
    const index = target.indexes.get(name) ?? new ObjectIndex(keysOf, inOrder(target.spaces));
    target.indexes.set(name, index);
    return { of: (key) => this.#handOut(index.of(key)), count: (key) => index.count(key) };
  }

  create(resource: string, source: unknown): StoredObject {
    const object = { ...(copyJson(source, true) as StoredObject) };
    object.metadata = { ...object.metadata };
    const { metadata } = object;
    if (typeof metadata?.name !== 'string' || metadata.name === '') {
      throw new ApiError(422, 'Invalid', `an object of ${resource} without metadata.name`);
    }
    if (this.get(resource, metadata.namespace, metadata.name) !== undefined) {
      throw alreadyExists(parseResource(resource), metadata.name);
    }
    const { newUid = randomUUID, clock } = this.#options;
    metadata.uid ??= newUid();
    metadata.creationTimestamp ??= `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
    return this.#write(resource, object, 'ADDED', undefined);
  }

  update(
    resource: string,
    namespace: string | undefined,
    name: string,
    change: (object: StoredObject) => boolean | undefined,
  ): StoredObject | undefined {
    const before = this.get(resource, namespace, name);
    if (before === undefined) return undefined;
    const object = copyJson(before, false) as StoredObject;
    if (change(object) === false) return before;
    return this.#write(resource, object, 'MODIFIED', before);
  }

  replace(resource: string, before: StoredObject, fields: Partial<StoredObject>): StoredObject {
    const { namespace, name } = before.metadata;
    if (this.get(resource, namespace, name) !== before)
      throw new Error(`${resource} ${name} has changed since`);
    const object = { ...before, ...fields } as StoredObject;
    object.metadata = { ...object.metadata };
    return this.#write(resource, object, 'MODIFIED', before);
  }

  remove(resource: string, namespace: string | undefined, name: string): StoredObject | undefined {
    const before = this.get(resource, namespace, name);
    if (before === undefined) return undefined;
    return this.#write(resource, { ...before, metadata: { ...before.metadata } }, 'DELETED', before);
  }

  subscribe(resource: string, callback: (event: StoreEvent) => void): () => void {
    const { subscribers } = this.#collection(resource);
    const own = (event: StoreEvent) => callback(event);
    subscribers.add(own);
    return () => subscribers.delete(own);
  }

  subscribeAll(callback: (resource: string, event: StoreEvent) => void): () => void {
    const own = (resource: string, event: StoreEvent) => callback(resource, event);
    this.#observers.add(own);
    return () => this.#observers.delete(own);
  }

  resources(): readonly string[] {
    return [...this.#collections].filter(([, { spaces }]) => spaces.size > 0).map(([name]) => name);
  }

  since(resource: string, resourceVersion: number): readonly StoreEvent[] | undefined {
    return this.#history.since(resource, resourceVersion);
  }

  compact(): void {
    this.#history.clear(this.#resourceVersion);
  }

  #collection(resource: string): Collection {
    let found = this.#collections.get(resource);
    if (found === undefined) {
      found = { spaces: new Map(), all: undefined, indexes: new Map(), subscribers: new Set() };
      this.#collections.set(resource, found);
    }
    return found;
  }

  #handOut(objects: readonly StoredObject[]): readonly StoredObject[] {
    this.#objectsListed += objects.length;
    return objects;
  }

  #write(
    resource: string,
    object: StoredObject,
    type: StoreEvent['type'],
    before: StoredObject | undefined,
  ): StoredObject {
    const target = this.#collection(resource);
    this.#resourceVersion += 1;
    object.metadata.resourceVersion = String(this.#resourceVersion);
    const frozen = freezeJson(object);
    const { namespace = '', name } = object.metadata;
    const space = target.spaces.get(namespace) ?? new ObjectTable();
    target.spaces.set(namespace, space);
    if (type === 'DELETED') space.delete(name);
    else space.set(name, frozen);
    target.all = undefined;
    for (const index of target.indexes.values())
      index.change(before, type === 'DELETED' ? undefined : frozen);
    this.#publish(resource, { type, object: frozen, before, resourceVersion: this.#resourceVersion });
    return frozen;
  }

  #publish(resource: string, event: StoreEvent): void {
    this.#history.add(resource, event);
    for (const callback of [...this.#collection(resource).subscribers]) callback(event);
    for (const callback of [...this.#observers]) callback(resource, event);
  }
}

/** The last events of all resources; it compacts older ones. */
class EventHistory {
  readonly #limit: number;
  #events: { readonly resource: string; readonly event: StoreEvent }[] = [];
  #compactedAt = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(resource: string, event: StoreEvent): void {
    this.#events.push({ resource, event });
    if (this.#events.length <= this.#limit * 1.25) return;
    const cut = this.#events.length - this.#limit;
    this.#compactedAt = this.#events[cut - 1]?.event.resourceVersion ?? this.#compactedAt;
    this.#events = this.#events.slice(cut);
  }

  /** Returns the events of a resource after a resourceVersion; undefined if they were compacted. */
  since(resource: string, resourceVersion: number): readonly StoreEvent[] | undefined {
    if (resourceVersion < this.#compactedAt) return undefined;
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.event.resourceVersion ?? 0) <= resourceVersion) low = middle + 1;
      else high = middle;
    }
    const later = this.#events.slice(low).filter((entry) => entry.resource === resource);
    return later.map((entry) => entry.event);
  }

  clear(resourceVersion: number): void {
    this.#compactedAt = resourceVersion;
    this.#events = [];
  }
}

/** Returns all objects of a resource in the order of etcd's keys, in which a slash ends each namespace. */
function inOrder(spaces: ReadonlyMap<string, ObjectTable>): readonly StoredObject[] {
  const namespaces = [...spaces.keys()].sort((a, b) => (`${a}/` < `${b}/` ? -1 : 1));
  return namespaces.flatMap((namespace) => spaces.get(namespace)?.list() ?? []);
}
