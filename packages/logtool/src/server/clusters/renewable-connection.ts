import type { ClusterConnection, RequestHeaders } from '@logtool/kube/src/connection/cluster-connection.ts';

/** Number of connections with earlier credentials that may still carry streams; older ones are closed. */
const KEPT = 3;

/**
 * A connection whose credentials can be replaced while streams are open: they continue, and later requests use the new
 * ones.
 */
export interface RenewableConnection extends ClusterConnection {
  /** Takes over the credentials of `next`, which leads to the same cluster. */
  renew(next: ClusterConnection): void;
}

/**
 * Returns a connection that begins with the credentials of `first`; `close` closes every connection that it received.
 */
export function renewableConnection(first: ClusterConnection): RenewableConnection {
  let current = first;
  const earlier: ClusterConnection[] = [];
  const givenBy = new WeakMap<RequestHeaders, ClusterConnection>();
  return {
    context: first.context,
    server: first.server,
    namespace: first.namespace,
    get user() {
      return current.user;
    },
    agent: () => current.agent(),
    http2: first.http2,
    connect: (alpn, signal) => current.connect(alpn, signal),
    async headers(signal) {
      const from = current;
      const headers = await from.headers(signal);
      givenBy.set(headers, from);
      return headers;
    },

    async refresh(signal, sent) {
      // The server refused credentials that have since been replaced: retry with the new ones.
      const from = sent === undefined ? undefined : givenBy.get(sent);
      if (from !== undefined && from !== current) return true;
      return current.refresh(signal, sent);
    },

    renew(next) {
      earlier.push(current);
      current = next;
      while (earlier.length > KEPT) earlier.shift()?.close();
    },

    close() {
      for (const connection of [...earlier, current]) connection.close();
    },
  };
}
