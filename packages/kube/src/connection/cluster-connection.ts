import type { Agent } from 'node:http';
import type { Socket } from 'node:net';

/** Header names and values as node:http takes them. */
export type RequestHeaders = Readonly<Record<string, string | string[]>>;

/** One cluster as one user: opens sockets to its API server and gives each request its credentials. */
export interface ClusterConnection {
  /** Name of the context; `in-cluster` for the service account. */
  readonly context: string;
  /** May have a path, which is then the prefix of every request (`https://rancher/k8s/clusters/c-1`). */
  readonly server: URL;
  /** The context's namespace; `default` if it names none. */
  readonly namespace: string;
  /** Name of the kubeconfig's user; empty if the context names none. */
  readonly user: string;
  /**
   * The agent for the next request, with keep-alive; it knows TLS and proxies, so a request needs only
   * `{ agent, host: server.hostname, port: server.port }`. Ask `headers()` first, and ask for the agent at each
   * request: a plugin may give a client certificate, and there is a fresh agent after each rotation.
   * Its sockets fail with CodedError (proxies) or Node's own errors (`code`: ECONNREFUSED, ETIMEDOUT, CERT_...).
   */
  agent(): Agent;
  /** Opens connections for the first requests: see KubeClient. */
  preconnect?(count: number): void;
  /** Announces simultaneous requests after the next one: see ClusterAgent. */
  warm?(count: number): void;
  /** Whether HTTP/2 may be spoken where the server agrees to it. */
  readonly http2: boolean;
  /**
   * For HTTP/2: a connected socket (TLS or plain, as the server's URL says), with these ALPN protocols offered.
   * The caller owns it. Fails as `agent()`'s sockets do, or with the signal's reason.
   */
  connect(alpn: readonly string[], signal?: AbortSignal): Promise<Socket>;
  /**
   * Authorization and Impersonate-* headers for the next request; runs plugins and refreshes tokens when due.
   * Throws CodedError when a plugin or a token file fails.
   */
  headers(signal?: AbortSignal): Promise<RequestHeaders>;
  /**
   * The server answered 401: throws away what was cached and gets new credentials. Resolves true when one retry is
   * worth it. Give the `sent` headers (the very object that `headers()` gave), so that many requests that failed
   * together cost one refresh.
   */
  refresh(signal?: AbortSignal, sent?: RequestHeaders): Promise<boolean>;
  /** Closes idle and open sockets of all agents and ends running plugins. */
  close(): void;
}
