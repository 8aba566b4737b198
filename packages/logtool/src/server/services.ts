import type { OpenAPIHono } from '@hono/zod-openapi';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ContextList, Info } from '../contract/cluster.ts';
import type { ColumnName } from '../domain/columns.ts';
import type { LogRecord } from '../domain/record.ts';
import type { KeptScans } from '../stream/kept/kept-scans.ts';

/** Who asks. Every request that is let through to a route has one; without sign-in it is that of the page. */
export interface Session {
  /** Random; for counting and ending streams. Never leaves the server. */
  readonly id: string;
  /** What requests that stream or change something carry in the header `x-logtool-token`. */
  readonly pageToken: string;
  /** Who signed in, if that is known. */
  readonly user?: string | undefined;
  /** A key of the person, the same in all of their sessions; undefined if sessions name nobody. Read it with personOf. */
  readonly person?: string | undefined;
  /** The person's own Kubernetes token. Without it the server's own credentials (the kubeconfig's) are used. */
  readonly bearer?: string | undefined;
  /** URL of the API server that has recognized `bearer`, as contexts show it: it is sent to no other. */
  readonly server?: string | undefined;
  /** ms since the epoch; without it, it ends with the server. */
  readonly expiresAtMs?: number | undefined;
}

/** What a session may use as long as it has not given it back. */
export interface ClientLease {
  readonly client: KubeClient;
  /** Aborted when the client is closed although it is on lease: the session is over, or the server ends. */
  readonly closed?: AbortSignal | undefined;
  /** Gives it back; doing so twice is as doing it once. */
  release(): void;
}

/** The clusters of the kubeconfig (or the one that the server runs in). */
export interface Clusters {
  /** The contexts as they are known to this session; asks no cluster. */
  list(session: Session): ContextList;
  /** Asks one cluster whether it answers; never rejects for its failure: that is part of what `list` says after it. */
  check(context: string, session: Session, signal: AbortSignal): Promise<void>;
  /** Resolves when there is a later revision than this one, or when the signal is aborted. */
  changed(revision: number, signal: AbortSignal): Promise<void>;
  /** Throws CodedError `context-not-found` and those of a kubeconfig. Opens no socket yet. */
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
  /** Aborted with a StreamClosing by shutdown, sign-out, expiry. That the tab has gone is the request's signal. */
  readonly signal: AbortSignal;
  /** It is over, for whatever reason; must be called once the answer has ended. Twice is as once. */
  end(): void;
}

export interface Streams {
  /** Throws CodedError `too-many-streams` above the limits of a session, a person and the server (StreamRegistry). */
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

/** A source argument, and what may be read for it: other arguments if only some namespaces are allowed. */
export interface GuardedSource {
  readonly argument: string;
  readonly read: readonly string[];
}

/** All that a route may know of the server around it. */
export interface Services {
  readonly clock: Clock;
  readonly version: string;
  readonly settings: ServerSettings;
  readonly clusters: Clusters;
  readonly streams: Streams;
  readonly logger: Logger;
  /** What scans have read, by session. */
  readonly keptScans: KeptScans;
  /** Counts records that are sent to a browser; undefined if nothing is measured. */
  readonly onRecordsSent?: ((records: readonly LogRecord[]) => void) | undefined;
  /**
   * Keeps source arguments inside `allowedNamespaces`: a namespace pattern becomes one argument for each allowed
   * namespace that it matches. Throws CodedError `namespace-not-allowed`, and `bad-source` of what cannot be read.
   */
  guardNamespaces(sources: readonly string[], defaultNamespace: string): readonly GuardedSource[];
}

/** What middleware gives each route: `context.get('session')`. */
export interface ServerEnv {
  Variables: { session: Session };
}

/** The app below /api/v1. */
export type Api = OpenAPIHono<ServerEnv>;
