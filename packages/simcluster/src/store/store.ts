/** Any API object as JSON. */
export interface StoredObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    resourceVersion: string;
    creationTimestamp: string;
    generation?: number;
    deletionTimestamp?: string;
    deletionGracePeriodSeconds?: number;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    ownerReferences?: {
      apiVersion: string;
      kind: string;
      name: string;
      uid: string;
      controller?: boolean;
      blockOwnerDeletion?: boolean;
    }[];
    finalizers?: string[];
    managedFields?: unknown[];
    generateName?: string;
    [field: string]: unknown;
  };
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
  [field: string]: unknown;
}

export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The object after the change (for DELETED: its last state, with the resourceVersion of the deletion). */
  readonly object: StoredObject;
  /** The object before the change; with it, selectors notice when an object leaves a watch. */
  readonly before: StoredObject | undefined;
  readonly resourceVersion: number;
}

/** Returns the keys under which an index finds an object; none excludes it. */
export type KeysOf = (object: StoredObject) => readonly string[];

/** Finds objects of one resource by something other than their names. */
export interface StoreIndex {
  /** Returns objects ordered by namespace and name. */
  of(key: string): readonly StoredObject[];
  /** Returns the number of these objects, at no cost. */
  count(key: string): number;
}

/**
 * The simulated etcd: one global resourceVersion, a limited history of events for watches, optimistic concurrency.
 * `resource` is `plural` or `plural.group` (`pods`, `deployments.apps`). Objects are frozen copies.
 */
export interface Store {
  get(resource: string, namespace: string | undefined, name: string): StoredObject | undefined;
  list(resource: string, namespace?: string): readonly StoredObject[];
  /**
   * Returns an index of a resource. The store creates it at the first request for its name and updates it with every
   * write, so the objects of one owner or node are found without reading the rest.
   */
  index(resource: string, name: string, keysOf: KeysOf): StoreIndex;
  /**
   * Creates an object; fills in uid, creationTimestamp and resourceVersion. Throws an ApiError 409 if the name is
   * taken.
   */
  create(resource: string, object: unknown): StoredObject;
  /**
   * Reads, changes, writes. `change` gets a mutable copy; if it returns false, the object does not change;
   * undefined writes it.
   */
  update(
    resource: string,
    namespace: string | undefined,
    name: string,
    change: (object: StoredObject) => boolean | undefined,
  ): StoredObject | undefined;
  /**
   * Writes `before`, which must be the current state, with other top-level fields. Unnamed fields are shared instead of
   * copied; they are already frozen.
   */
  replace(resource: string, before: StoredObject, fields: Partial<StoredObject>): StoredObject;
  remove(resource: string, namespace: string | undefined, name: string): StoredObject | undefined;
  /** Calls back at every later event; returns a function that stops this. */
  subscribe(resource: string, callback: (event: StoreEvent) => void): () => void;
  /** The same for all resources, including those that do not exist yet. */
  subscribeAll(callback: (resource: string, event: StoreEvent) => void): () => void;
  /** Returns every resource that has, or had, an object. */
  resources(): readonly string[];
  /** Returns the events of a resource after a resourceVersion; undefined if they were compacted. */
  since(resource: string, resourceVersion: number): readonly StoreEvent[] | undefined;
  readonly resourceVersion: number;
  /**
   * How many objects lists and indexes have returned: measures the work of controllers, to compare with the number of
   * objects.
   */
  readonly objectsListed: number;
  /** Discards the history: watches and lists from earlier versions get 410. */
  compact(): void;
}
