import type { ClusterConnection } from '../connection/cluster-connection.ts';
import type { RequestSubject } from '../errors.ts';
import type { Clock } from '../values/clock.ts';
import type { SharedConnections } from './shared-connections.ts';

/** One exchange with the API server, for `--debug`. Contains no header and no body, hence no secret. */
export interface RequestReport {
  readonly method: string;
  /** Without the user and password that a server's URL may contain. */
  readonly url: string;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  /** Until the response headers (or the failure). */
  readonly durationMs: number;
  readonly error?: string | undefined;
  /** The caller canceled before a response arrived: not a failure of the server. */
  readonly isCanceled?: true;
}

/** What all requests of one client share. */
export interface Wire {
  readonly connection: ClusterConnection;
  /** For requests that may share a connection; undefined: each has a separate one. */
  readonly shared?: SharedConnections | undefined;
  readonly clock: Clock;
  readonly userAgent: string;
  /** Rejects every request that does more than read: see read-only.ts. */
  readonly readOnly?: boolean | undefined;
  readonly onRequest?: ((report: RequestReport) => void) | undefined;
  /** From requesting a socket to the end of the TLS handshake, ms. */
  readonly connectTimeoutMs: number;
  /** For requests other than logs: from the request to the response headers, ms. */
  readonly answerTimeoutMs: number;
  /** The same for logs. */
  readonly logAnswerTimeoutMs: number;
  /** 0 to 1, like Math.random. */
  readonly random: () => number;
}

/** One request, complete except for the credentials. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query below the server's URL, escaped. */
  readonly path: string;
  readonly subject: RequestSubject;
  readonly accept: string;
  /** The part of a file to send (RFC 9110, 14.2): `bytes=0-511`. */
  readonly range?: string | undefined;
  /** Whether the response may be compressed; streams never are. */
  readonly gzip?: boolean | undefined;
  readonly contentType?: string | undefined;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether this is one of many requests with long responses, which may share a connection. It then has no body. */
  readonly sharesConnection?: boolean | undefined;
  /** Instead of the wire's answerTimeoutMs. */
  readonly answerTimeoutMs?: number | undefined;
}
