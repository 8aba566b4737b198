import type { ClusterConnection } from '../connection/cluster-connection.ts';
import type { RequestSubject } from '../errors.ts';
import type { Clock } from '../values/clock.ts';
import type { SharedConnections } from './shared-connections.ts';

/** One exchange with the API server, for `--debug`. Carries no header and no body, so no secret either. */
export interface RequestReport {
  readonly method: string;
  /** Without the user and password that a server's URL may carry. */
  readonly url: string;
  /** Undefined when there was no answer. */
  readonly status: number | undefined;
  /** Until the head of the answer (or the failure). */
  readonly durationMs: number;
  readonly error?: string | undefined;
  /** The caller gave up before an answer came: no failure of the server. */
  readonly isCancelled?: true;
}

/** What every request of one client shares. */
export interface Wire {
  readonly connection: ClusterConnection;
  /** For requests that may share one; undefined: each has a connection of its own. */
  readonly shared?: SharedConnections | undefined;
  readonly clock: Clock;
  readonly userAgent: string;
  /** Refuses what does not only read: see read-only.ts. */
  readonly readOnly?: boolean | undefined;
  readonly onRequest?: ((report: RequestReport) => void) | undefined;
  /** From asking for a socket to the end of the TLS handshake, ms. */
  readonly connectTimeoutMs: number;
  /** For requests that are answered at once: from the request to the head of the answer, ms. */
  readonly answerTimeoutMs: number;
  /** Of logs. */
  readonly logAnswerTimeoutMs: number;
  /** 0 to 1, as Math.random. */
  readonly random: () => number;
}

/** One request, complete but for the credentials. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query below the server's URL, escaped. */
  readonly path: string;
  readonly subject: RequestSubject;
  readonly accept: string;
  /** Whether a compressed answer is welcome; streams are never compressed. */
  readonly gzip?: boolean | undefined;
  readonly contentType?: string | undefined;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** One of many whose answers are long: may go over a connection that they share. It has no body then. */
  readonly sharesConnection?: boolean | undefined;
  /** Instead of the wire's answerTimeoutMs. */
  readonly answerTimeoutMs?: number | undefined;
}
