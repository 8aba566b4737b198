/** Any object of the API as JSON. */
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
  /** The object before the change: selectors need it to notice when an object leaves a watch. */
  readonly before: StoredObject | undefined;
  readonly resourceVersion: number;
}

/** The keys under which an index finds an object; none leaves it out. */
export type KeysOf = (object: StoredObject) => readonly string[];

/** Objects of one resource by something other than their names. */
export interface StoreIndex {
  /** In the order of namespace and name. */
  of(key: string): readonly StoredObject[];
  /** How many they are, at no cost. */
  count(key: string): number;
}

/**
 * The simulated etcd: one global resourceVersion, a bounded history of events for watches, optimistic concurrency.
 * `resource` is `plural` or `plural.group` (`pods`, `deployments.apps`). Objects are frozen copies.
 */
export interface Store {
  get(resource: string, namespace: string | undefined, name: string): StoredObject | undefined;
  list(resource: string, namespace?: string): readonly StoredObject[];
  /**
   * An index over a resource, made when its name is first asked for and kept up with every write: what belongs to one
   * owner or stands on one node is found without reading the rest.
   */
  index(resource: string, name: string, keysOf: KeysOf): StoreIndex;
  /** Fills in uid, creationTimestamp and resourceVersion. Throws an ApiError 409 when the name is taken. */
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
   * Writes `before`, which must be the present state, with other top-level fields. Unnamed fields are shared
   * with it instead of copied; they are frozen already.
   */
  replace(resource: string, before: StoredObject, fields: Partial<StoredObject>): StoredObject;
  remove(resource: string, namespace: string | undefined, name: string): StoredObject | undefined;
  /** Calls back at every later event; the returned function ends it. */
  subscribe(resource: string, callback: (event: StoreEvent) => void): () => void;
  /** The same for all resources, those that do not exist yet as well. */
  subscribeAll(callback: (resource: string, event: StoreEvent) => void): () => void;
  /** Every resource that has, or had, an object. */
  resources(): readonly string[];
  /** Events of a resource after a resourceVersion, or undefined when they are compacted away. */
  since(resource: string, resourceVersion: number): readonly StoreEvent[] | undefined;
  readonly resourceVersion: number;
  /** How many objects lists and indexes have handed out: the work of controllers, to be held against their number. */
  readonly objectsListed: number;
  /** Forgets history: watches and lists from before get 410. */
  compact(): void;
}
