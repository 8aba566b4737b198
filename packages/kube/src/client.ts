import type { Timestamp } from './values/timestamp.ts';

/** A resource of the API, as discovery names it: `{ group: 'apps', version: 'v1', plural: 'deployments', ... }`. */
export interface ResourceType {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** The fields that every object has. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly {
      readonly apiVersion: string;
      readonly kind: string;
      readonly name: string;
      readonly uid: string;
      readonly controller?: boolean;
    }[];
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
  };
}

/** What a collection request selects. `namespace` undefined means all namespaces. */
export interface CollectionQuery {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Requests only PartialObjectMetadata: cheap for owner trees of big clusters. */
  readonly metadataOnly?: boolean | undefined;
}

export interface ObjectRef {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Query of pods/log, sent unchanged: test/recorded/pods-log has a server's response to each. */
export interface LogQuery {
  readonly namespace: string;
  readonly pod: string;
  readonly container?: string | undefined;
  readonly follow?: boolean | undefined;
  readonly previous?: boolean | undefined;
  readonly timestamps?: boolean | undefined;
  readonly tailLines?: number | undefined;
  readonly limitBytes?: number | undefined;
  /** In whole seconds: the server truncates fractions, so it sends the lines of that second again. */
  readonly sinceTime?: Timestamp | undefined;
  readonly sinceSeconds?: number | undefined;
  /** Ask another API group that has the same subresource; default: core. */
  readonly from?: LogGroup | undefined;
}

/** An API group whose `pods/log` answers as that of core does, and knows more parameters. */
export interface LogGroup {
  readonly group: string;
  readonly version: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface LogResponse {
  /** 204 means that the pod has no node yet; the body is empty. */
  readonly status: 200 | 204;
  /**
   * The body as it arrives; back-pressure reaches the socket. Ends when the body ends cleanly; throws a KubeError of
   * kind `connection` if the body was cut. Returning from the loop early closes the stream.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** A file or folder below `/var/log` of a node, as its kubelet serves it through the API server. */
export interface NodeFileQuery {
  readonly node: string;
  /** Names of folders below `/var/log`, and of the file; none is escaped. */
  readonly path: readonly string[];
  /** The listing of a folder, as HTML. */
  readonly isFolder?: boolean | undefined;
  /** From a byte to the end or up to and with another one; or that many bytes at the end. Default: everything. */
  readonly range?: { readonly from: number; readonly to?: number } | { readonly last: number } | undefined;
}

export interface NodeFileResponse {
  /** The first byte of the body within the file. */
  readonly from: number;
  /** The size of the file when it was opened, in bytes; undefined if a whole file or a listing was requested. */
  readonly size: number | undefined;
  /** As in LogResponse. */
  readonly body: AsyncIterable<Uint8Array>;
}

export type WatchEvent<T extends KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | {
      readonly type: 'BOOKMARK';
      readonly object: { readonly metadata: { readonly resourceVersion: string } };
    };

/** What a reflector yields: first a consistent snapshot, then changes; after a relist, a new snapshot. */
export type ReflectorEvent<T extends KubeObject> =
  | { readonly type: 'snapshot'; readonly objects: readonly T[] }
  | { readonly type: 'changed'; readonly object: T }
  | { readonly type: 'deleted'; readonly object: T }
  /**
   * Reports the state of the reflector, which keeps running: no permission to watch (it polls), server
   * unreachable, reconnected.
   */
  | {
      readonly type: 'state';
      readonly state: 'polling' | 'retrying' | 'live';
      readonly error?: KubeErrorLike;
      /** `retrying`: ms until the next attempt. */
      readonly retryInMs?: number;
      /** The user lost permission: objects read with it must no longer be shown. */
      readonly isWithdrawn?: true;
    };

export interface KubeErrorLike extends Error {
  readonly kind: KubeErrorKind;
}

/**
 * - `connection`: refused, reset, cut inside a body, DNS, time-out; `tls`: certificate or handshake;
 * - `credentials`: a plugin or a file that should provide credentials failed;
 * - `unauthorized` 401, `forbidden` 403, `not-found` 404, `conflict` 409, `gone` 410, `too-many-requests` 429,
 *   `server` 5xx, `bad-request` 400/422, `http` any other status; `protocol`: an unreadable response.
 */
export type KubeErrorKind =
  | 'connection'
  | 'tls'
  | 'credentials'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'gone'
  | 'too-many-requests'
  | 'server'
  | 'bad-request'
  | 'http'
  | 'protocol';

export interface AccessReview {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options of requests that return many objects. */
export interface ListOptions extends RequestOptions {
  /**
   * Returns the part of each listed object to keep. The client releases the rest page by page, because all pods of a
   * big cluster are a hundred megabytes. The caller's object type must then name only the kept part.
   */
  readonly keep?: ((object: KubeObject) => KubeObject) | undefined;
}

/** The cluster as the rest of the program sees it. Every method rejects with a KubeError (errors.ts). */
export interface KubeClient {
  /** From the kubeconfig (or the service account), for messages and defaults. */
  readonly cluster: {
    readonly context: string;
    readonly server: string;
    readonly namespace: string;
    readonly user: string;
    /** The flags that make kubectl act as the same user, as the user gave them (` --as alice`). */
    readonly asFlags?: string | undefined;
    /** Whether a token replaces the kubeconfig's credentials. */
    readonly hasOwnToken?: boolean | undefined;
  };
  /**
   * Returns all resources of the server from discovery (aggregated if the server has it, else legacy). The client keeps
   * the result for its lifetime; `again` reads it again.
   */
  discover(
    options?: RequestOptions & { readonly again?: boolean | undefined },
  ): Promise<readonly ResourceType[]>;
  /**
   * Opens `count` connections for the first requests while the caller still does other work. Does nothing if a
   * credential plugin must run first.
   */
  preconnect?(count: number): void;
  /**
   * Announces that `count` simultaneous requests follow the next one. If the server is far away, their connections open
   * together with that one.
   */
  warm?(count: number): void;
  /** Returns the server's version: `v1.35.0`. */
  version(options?: RequestOptions): Promise<string>;
  /** Asks whoever serves one version of a group for the names of its resources: see rest/group-version.ts. */
  groupVersion(group: string, version: string, options?: RequestOptions): Promise<readonly string[]>;
  get<T extends KubeObject>(type: ResourceType, ref: ObjectRef, options?: RequestOptions): Promise<T>;
  /** Returns only the object's metadata. */
  getMetadata(type: ResourceType, ref: ObjectRef, options?: RequestOptions): Promise<KubeObject>;
  /**
   * Yields pages of at most 500 objects. If a continue token expires, the list continues inconsistently. Yields no
   * object twice.
   */
  list<T extends KubeObject>(
    type: ResourceType,
    query: CollectionQuery,
    options?: ListOptions,
  ): AsyncIterable<{ readonly items: readonly T[]; readonly resourceVersion: string }>;
  /** Sends one watch request. Ends when the server ends it; throws `gone` for an ERROR event with 410. */
  watch<T extends KubeObject>(
    type: ResourceType,
    query: CollectionQuery & { readonly resourceVersion: string },
    options?: RequestOptions,
  ): AsyncIterable<WatchEvent<T>>;
  /**
   * Lists, then watches, forever: see reflector/reflect.ts. Ends when the signal aborts. Throws only if the first
   * snapshot is impossible; every later failure is a `retrying` state.
   */
  reflect<T extends KubeObject>(
    type: ResourceType,
    query: CollectionQuery & { readonly name?: string | undefined },
    options?: ListOptions,
  ): AsyncIterable<ReflectorEvent<T>>;
  log(query: LogQuery, options?: RequestOptions): Promise<LogResponse>;
  /**
   * Reads a file of a node, or lists a folder: see rest/node-file.ts. Requires `get nodes/proxy`, which is a superuser
   * right: request it only if the user asked for it. A range that begins at or after the end returns an empty body.
   */
  nodeFile(query: NodeFileQuery, options?: RequestOptions): Promise<NodeFileResponse>;
  review(review: AccessReview, options?: RequestOptions): Promise<boolean>;
  create<T extends KubeObject>(
    type: ResourceType,
    namespace: string | undefined,
    object: unknown,
    options?: RequestOptions,
  ): Promise<T>;
  /** Replaces the object with that name. */
  update<T extends KubeObject>(
    type: ResourceType,
    ref: ObjectRef,
    object: unknown,
    options?: RequestOptions,
  ): Promise<T>;
  patch<T extends KubeObject>(
    type: ResourceType,
    ref: ObjectRef,
    contentType: string,
    body: unknown,
    options?: RequestOptions & { readonly query?: Readonly<Record<string, string>> },
  ): Promise<T>;
  delete(
    type: ResourceType,
    ref: ObjectRef,
    options?: RequestOptions & { readonly body?: unknown },
  ): Promise<void>;
  /** Closes idle and open sockets. */
  close(): void;
}
