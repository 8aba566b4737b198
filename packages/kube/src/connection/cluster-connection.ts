import type { Agent } from 'node:http';
import type { Socket } from 'node:net';

/** Header names and values as node:http takes them. */
export type RequestHeaders = Readonly<Record<string, string | string[]>>;

/** One cluster as one user: opens sockets to its API server and provides credentials for each request. */
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
   * Returns the agent for the next request, with keep-alive. It handles TLS and proxies, so a request needs only `{
   * agent, host: server.hostname, port: server.port }`. Call `headers()` first, and call `agent()` for each request: a
   * plugin may return a client certificate, and each rotation makes a fresh agent.
   * Its sockets fail with CodedError (proxies) or Node's own errors (`code`: ECONNREFUSED, ETIMEDOUT, CERT_...).
   */
  agent(): Agent;
  /** Opens connections for the first requests: see KubeClient. */
  preconnect?(count: number): void;
  /** Announces simultaneous requests after the next one: see ClusterAgent. */
  warm?(count: number): void;
  /** Whether the client may offer HTTP/2 to the server. */
  readonly http2: boolean;
  /**
   * For HTTP/2: opens a connected socket (TLS or plain, as the server's URL says) that offers these ALPN protocols. The
   * caller owns it. Fails as `agent()`'s sockets do, or with the signal's reason.
   */
  connect(alpn: readonly string[], signal?: AbortSignal): Promise<Socket>;
  /**
   * Returns Authorization and Impersonate-* headers for the next request; runs plugins and refreshes tokens when due.
   * Throws CodedError if a plugin or a token file fails.
   */
  headers(signal?: AbortSignal): Promise<RequestHeaders>;
  /**
   * Call after a 401: discards cached credentials and gets new ones. Resolves true if one retry makes sense. Pass the
   * `sent` headers (the same object that `headers()` returned), so that many requests that failed together cost one
   * refresh.
   */
  refresh(signal?: AbortSignal, sent?: RequestHeaders): Promise<boolean>;
  /** Closes idle and open sockets of all agents and ends running plugins. */
  close(): void;
}
