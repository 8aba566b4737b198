import { basicAuthorization } from '../credentials/basic.ts';
import type { Credential, Grant } from '../credentials/credential.ts';
import { ClusterAgent } from './cluster-agent.ts';
import type { ClusterConnection, RequestHeaders } from './cluster-connection.ts';
import { openSocket, type Route } from './open-socket.ts';
import { decodedPart } from './proxy.ts';
import { type SessionStore, TlsContexts } from './tls-contexts.ts';

/** All that a connection is made of, read and checked. */
export interface ConnectionParts {
  readonly context: string;
  readonly server: URL;
  readonly namespace: string;
  readonly user: string;
  readonly route: Route;
  readonly credential: Credential;
  /** The grant that is at hand without running anything, so that bad certificates are told at once. */
  readonly first: Grant | undefined;
  readonly impersonation: RequestHeaders;
  /** Whether HTTP/2 may be offered; only over TLS it ever is. */
  readonly http2: boolean;
  /** Where TLS sessions outlive the process; undefined: nowhere. */
  readonly sessions?: SessionStore | undefined;
}

/** Throws LogtoolError `bad-certificate-data`. */
export function makeConnection(parts: ConnectionParts): ClusterConnection {
  const { route, credential } = parts;
  // As Go's client, hence kubectl: what the URL carries serves where the user has nothing to send.
  const { username, password } = parts.server;
  const ofUrl =
    username === '' ? undefined : basicAuthorization(decodedPart(username), decodedPart(password));
  const grants = new WeakMap<RequestHeaders, Grant>();
  let certificate = parts.first?.certificate;
  let contexts = newContexts();
  let agent = newAgent();
  const retired = new Set<ClusterAgent>();

  function newContexts(): TlsContexts | undefined {
    if (!route.tls) return undefined;
    return new TlsContexts(route, certificate, `context "${parts.context}"`, {
      // A session that was opened with a client certificate stands for it, without its key.
      store: certificate === undefined ? parts.sessions : undefined,
      nowMs: route.clock.now(),
    });
  }

  function newAgent(): ClusterAgent {
    const own = contexts;
    return new ClusterAgent(route.tls, (signal) => openSocket(route, own, ['http/1.1'], signal), route.clock);
  }

  async function present(signal: AbortSignal | undefined): Promise<Grant> {
    const grant = await credential.grant(signal);
    if (grant.certificate !== certificate) {
      const before = certificate;
      certificate = grant.certificate;
      try {
        contexts = newContexts();
      } catch (error) {
        certificate = before;
        throw error;
      }
      retire(agent);
      agent = newAgent();
    }
    return grant;
  }

  /** Streams on the old agent go on; its idle sockets carry the old certificate and are closed. */
  function retire(old: ClusterAgent): void {
    retired.add(old);
    for (const sockets of Object.values(old.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
    old.maxFreeSockets = 0;
  }

  return {
    context: parts.context,
    server: parts.server,
    namespace: parts.namespace,
    user: parts.user,
    agent: () => agent,
    preconnect(count) {
      // What a plugin gives may hold the certificate that the connection needs.
      if (parts.first !== undefined) agent.preconnect(count);
    },
    warm: (count) => agent.warm(count),
    http2: parts.http2 && route.tls,
    async connect(alpn, signal) {
      await present(signal);
      return openSocket(route, contexts, alpn, signal);
    },
    async headers(signal) {
      const grant = await present(signal);
      const authorization = grant.authorization ?? ofUrl;
      const headers: RequestHeaders = {
        ...(authorization === undefined ? {} : { Authorization: authorization }),
        ...parts.impersonation,
      };
      grants.set(headers, grant);
      return headers;
    },
    async refresh(signal, sent) {
      const refused = (sent && grants.get(sent)) ?? (await credential.grant(signal));
      return credential.renew(refused, signal);
    },
    close() {
      credential.close();
      for (const old of retired) old.destroy();
      agent.destroy();
    },
  };
}
