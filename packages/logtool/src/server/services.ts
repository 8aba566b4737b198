import type { OpenAPIHono } from '@hono/zod-openapi';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ContextList, Info } from '../contract/cluster.ts';
import type { ColumnName } from '../domain/columns.ts';
import type { LogRecord } from '../domain/record.ts';
import type { KeptScans } from '../stream/kept/kept-scans.ts';
import type { WindowsFirst } from './logs/windows-first.ts';

/** The requester. Every request that reaches a route has one; without sign-in it is that of the page. */
export interface Session {
  /** Random; for counting and ending streams. Never leaves the server. */
  readonly id: string;
  /** Requests that stream or change something carry this in the header `x-logtool-token`. */
  readonly pageToken: string;
  /** The signed-in user, if known. */
  readonly user?: string | undefined;
  /**
   * A key of the person, the same in all of their sessions; undefined if sessions identify no person. Read it with
   * personOf.
   */
  readonly person?: string | undefined;
  /** The person's own Kubernetes token. Without it, the server uses its own credentials (the kubeconfig's). */
  readonly bearer?: string | undefined;
  /** URL of the API server that recognized `bearer`, as contexts show it; no other server receives the token. */
  readonly server?: string | undefined;
  /** ms since the epoch; if absent, it ends with the server. */
  readonly expiresAtMs?: number | undefined;
}

/** A client that a session may use until it releases it. */
export interface ClientLease {
  readonly client: KubeClient;
  /** Aborted when the client closes during a lease: the session or the server ends. */
  readonly closed?: AbortSignal | undefined;
  /** Ends the lease; a second call has no effect. */
  release(): void;
}

/** The clusters of the kubeconfig (or the one that the server runs in). */
export interface Clusters {
  /** Returns the contexts as this session knows them; sends no request. */
  list(session: Session): ContextList;
  /** Checks whether one cluster answers; never rejects for its failure, which `list` then includes. */
  check(context: string, session: Session, signal: AbortSignal): Promise<void>;
  /** Resolves when a later revision than this one exists, or when the signal is aborted. */
  changed(revision: number, signal: AbortSignal): Promise<void>;
  /** Leases a client. Throws CodedError `context-not-found` and those of a kubeconfig. Opens no socket yet. */
  client(context: string, session: Session): Promise<ClientLease>;
}

export type ClosingReason = 'shutdown' | 'signed-out' | 'expired' | 'revoked' | 'too-slow';

/** The reason of a stream's signal when the server ends it: a `closing` frame is then the last line. */
export class StreamClosing extends Error {
  readonly reason: ClosingReason;

  constructor(reason: ClosingReason) {
    super(`stream-closing ${reason}`);
    this.name = 'StreamClosing';
    this.reason = reason;
  }
}

export interface OpenStream {
  /**
   * Aborted with a StreamClosing by shutdown, sign-out or expiry. The request's signal reports a tab that disconnects.
   */
  readonly signal: AbortSignal;
  /** Must be called once the answer has ended, for any reason. A second call has no effect. */
  end(): void;
}

export interface Streams {
  /**
   * Opens a stream. Throws CodedError `too-many-streams` above the limits of a session, a person and the server
   * (StreamRegistry).
   */
  open(session: Session, kind: string): OpenStream;
}

export interface Logger {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

export interface ServerSettings {
  readonly auth: Info['auth'];
  /** Empty: all. */
  readonly allowedNamespaces: readonly string[];
  readonly columns: readonly ColumnName[];
  readonly isInCluster: boolean;
}

/** A source argument, and what to read for it: other arguments if only some namespaces are allowed. */
export interface GuardedSource {
  readonly argument: string;
  readonly read: readonly string[];
}

/** Everything that a route may use of the server around it. */
export interface Services {
  readonly clock: Clock;
  readonly version: string;
  readonly settings: ServerSettings;
  readonly clusters: Clusters;
  readonly streams: Streams;
  readonly logger: Logger;
  /** The results of scans, by session. */
  readonly keptScans: KeptScans;
  readonly windowsFirst: WindowsFirst;
  /** Counts records sent to a browser; undefined if nothing is measured. */
  readonly onRecordsSent?: ((records: readonly LogRecord[]) => void) | undefined;
  /**
   * Restricts source arguments to `allowedNamespaces`: a namespace pattern becomes one argument for each allowed
   * namespace that it matches. Throws CodedError `namespace-not-allowed`, and `bad-source` for an invalid argument.
   */
  guardNamespaces(sources: readonly string[], defaultNamespace: string): readonly GuardedSource[];
}

/** What middleware provides to each route: `context.get('session')`. */
export interface ServerEnv {
  Variables: { session: Session };
}

/** The app below /api/v1. */
export type Api = OpenAPIHono<ServerEnv>;
