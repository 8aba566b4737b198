import type { AccessReview, KubeClient, KubeObject, RequestOptions, ResourceType } from './client.ts';
import type { ClusterConnection } from './connection/cluster-connection.ts';
import { discoverResources } from './discovery/discover.ts';
import { reflect } from './reflector/reflect.ts';
import { readGroupVersion } from './rest/group-version.ts';
import { listAll } from './rest/list.ts';
import { openLog } from './rest/log.ts';
import { openNodeFile } from './rest/node-file.ts';
import { createObject, deleteObject, getObject, patchObject, updateObject } from './rest/object.ts';
import { reviewAccess } from './rest/review.ts';
import { readSelf } from './rest/self-review.ts';
import { type ReviewedUser, reviewSubject } from './rest/subject-review.ts';
import { reviewToken } from './rest/token-review.ts';
import { readVersion } from './rest/version.ts';
import { openWatch, type WatchQuery } from './rest/watch.ts';
import { abortable } from './transport/abortable.ts';
import { SharedConnections } from './transport/shared-connections.ts';
import type { RequestReport, Wire } from './transport/wire.ts';
import type { Clock } from './values/clock.ts';

/** Options of a client besides its connection. */
export interface ClientOptions {
  readonly clock: Clock;
  /** `logtool/VERSION` */
  readonly userAgent: string;
  /** Allows only reads and access reviews, and none of Secrets and ConfigMaps: see transport/read-only.ts. */
  readonly readOnly?: boolean | undefined;
  /** Receives each request and its outcome, for `--debug`. */
  readonly onRequest?: ((report: RequestReport) => void) | undefined;
  /** Default 10 s. */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * Limit from a request to its response headers, and for the longest pause inside a buffered response. Default 75 s.
   */
  readonly answerTimeoutMs?: number | undefined;
  /** The same for a log, whose node may have to search a large file first. Default 300 s. */
  readonly logAnswerTimeoutMs?: number | undefined;
  /** See KubeClient.cluster. */
  readonly asFlags?: string | undefined;
  readonly hasOwnToken?: boolean | undefined;
  /** Source of jitter, 0 to 1; default Math.random. */
  readonly random?: (() => number) | undefined;
}

/** A client that can also report its own user name. */
export interface ClusterClient extends KubeClient {
  /** Returns the user name that the cluster sees: see rest/self-review.ts. */
  self(options?: RequestOptions): Promise<string | undefined>;
  /** Returns whether another user has a permission: see rest/subject-review.ts. */
  reviewSubject(subject: ReviewedUser, review: AccessReview, options?: RequestOptions): Promise<boolean>;
  /** Returns whose token of that audience it is: see rest/token-review.ts. */
  reviewToken(token: string, audience: string, options?: RequestOptions): Promise<ReviewedUser | undefined>;
}

/** The API server allows a request 60 s; this leaves time for its own time-out response. */
const ANSWER_TIMEOUT_MS = 75_000;
/** For sinceTime a node reads the whole file before the first byte: about a second for 500 MB. */
const LOG_ANSWER_TIMEOUT_MS = 300_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Makes a client for one cluster as one user. Opens no socket before the first request. */
export function createKubeClient(connection: ClusterConnection, options: ClientOptions): ClusterClient {
  const shared = new SharedConnections(connection, options.clock);
  const wire: Wire = {
    connection,
    shared,
    clock: options.clock,
    userAgent: options.userAgent,
    readOnly: options.readOnly,
    onRequest: options.onRequest,
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    answerTimeoutMs: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
    logAnswerTimeoutMs: options.logAnswerTimeoutMs ?? LOG_ANSWER_TIMEOUT_MS,
    random: options.random ?? Math.random,
  };
  const { context, server, namespace, user } = connection;
  let discovery: Promise<readonly ResourceType[]> | undefined;
  return {
    cluster: {
      context,
      server: displayUrl(server),
      namespace,
      user,
      asFlags: options.asFlags,
      hasOwnToken: options.hasOwnToken,
    },
    discover(request = {}) {
      // All callers share one discovery, so no single signal may end it. A failure is not kept.
      if (request.again === true) discovery = undefined;
      discovery ??= discoverResources(wire).catch((error: unknown) => {
        discovery = undefined;
        throw error;
      });
      return abortable(discovery, request.signal);
    },
    get: (type, ref, request) => getObject(wire, type, ref, request),
    getMetadata: (type, ref, request) => getObject(wire, type, ref, { ...request, metadataOnly: true }),
    list: (type, query, request) => listAll(wire, type, query, request),
    watch: (type, query, request) => watchOnce(wire, type, query, request?.signal),
    reflect: (type, query, request) => reflect(wire, type, query, request),
    log: (query, request) => openLog(wire, query, request),
    nodeFile: (query, request) => openNodeFile(wire, query, request),
    preconnect: (count) => connection.preconnect?.(count),
    warm: (count) => connection.warm?.(count),
    version: (request) => readVersion(wire, request),
    groupVersion: (group, version, request) => readGroupVersion(wire, group, version, request),
    self: (request) => readSelf(wire, request),
    review: (review, request) => reviewAccess(wire, review, request),
    reviewSubject: (subject, review, request) => reviewSubject(wire, subject, review, request),
    reviewToken: (token, audience, request) => reviewToken(wire, token, audience, request),
    create: (type, space, object, request) => createObject(wire, type, space, object, request),
    update: (type, ref, object, request) => updateObject(wire, type, ref, object, request),
    patch: (type, ref, contentType, body, request) =>
      patchObject(wire, type, ref, contentType, body, request),
    delete: (type, ref, request) => deleteObject(wire, type, ref, request),
    close() {
      shared.close();
      connection.close();
    },
  };
}

async function* watchOnce<T extends KubeObject>(
  wire: Wire,
  type: ResourceType,
  query: WatchQuery,
  signal: AbortSignal | undefined,
) {
  const watch = await openWatch<T>(wire, type, query, { signal });
  yield* watch.events;
}

/** For display: without the user and password that a URL may contain. */
function displayUrl(server: URL): string {
  return server.origin + server.pathname.replace(/(?<!\/)\/+$/, '');
}
