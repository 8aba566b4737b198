import type { Socket } from 'node:net';
import { basicAuthorization } from '../credentials/basic.ts';
import type { ClientCertificate, Credential, Grant } from '../credentials/credential.ts';
import { ClusterAgent } from './cluster-agent.ts';
import type { ClusterConnection, RequestHeaders } from './cluster-connection.ts';
import { openSocket } from './open-socket.ts';
import { decodeUserinfo } from './proxy.ts';
import type { Route } from './route.ts';
import { type SessionStore, TlsContexts } from './tls-contexts.ts';

/** The settings of a connection, already read and checked. */
export interface ConnectionSettings {
  readonly context: string;
  readonly server: URL;
  readonly namespace: string;
  readonly user: string;
  readonly route: Route;
  readonly credential: Credential;
  /** The grant that is available without running a plugin, to report bad certificates at once. */
  readonly first: Grant | undefined;
  readonly impersonation: RequestHeaders;
  /** Whether to offer HTTP/2; only ever over TLS. */
  readonly http2: boolean;
  /** Where TLS sessions outlive the process; undefined: nowhere. */
  readonly sessions?: SessionStore | undefined;
}

/** Builds the connection. Throws CodedError `bad-certificate-data`. */
export function makeConnection(settings: ConnectionSettings): ClusterConnection {
  const { context, server, namespace, user, credential } = settings;
  const sockets = new RotatingSockets(settings);
  const grants = new WeakMap<RequestHeaders, Grant>();
  return {
    context,
    server,
    namespace,
    user,
    http2: settings.http2 && settings.route.tls,
    agent: () => sockets.agent,
    preconnect: (count) => {
      // Without a first grant, the connection may need a certificate that only a plugin can return.
      if (settings.first !== undefined) sockets.agent.preconnect(count);
    },
    warm: (count) => sockets.agent.warm(count),
    async connect(alpn, signal) {
      await sockets.present(signal);
      return sockets.open(alpn, signal);
    },

    async headers(signal) {
      const grant = await sockets.present(signal);
      const authorization = grant.authorization ?? authorizationOf(server);
      const headers: RequestHeaders = {
        ...(authorization === undefined ? {} : { Authorization: authorization }),
        ...settings.impersonation,
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
      sockets.destroy();
    },
  };
}

/** The agent and the TLS contexts; a new client certificate replaces both. */
class RotatingSockets {
  readonly #settings: ConnectionSettings;
  readonly #retired = new Set<ClusterAgent>();
  #certificate: ClientCertificate | undefined;
  #contexts: TlsContexts | undefined;
  #agent: ClusterAgent;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    this.#certificate = settings.first?.certificate;
    this.#contexts = this.#newContexts(this.#certificate);
    this.#agent = this.#newAgent();
  }

  get agent(): ClusterAgent {
    return this.#agent;
  }

  open(alpn: readonly string[], signal: AbortSignal | undefined): Promise<Socket> {
    return openSocket(this.#settings.route, this.#contexts, alpn, signal);
  }

  destroy(): void {
    for (const old of this.#retired) old.destroy();
    this.#agent.destroy();
  }

  /** Returns the grant for the next request; from now on new sockets use its certificate. */
  async present(signal: AbortSignal | undefined): Promise<Grant> {
    const grant = await this.#settings.credential.grant(signal);
    if (grant.certificate !== this.#certificate) {
      this.#contexts = this.#newContexts(grant.certificate);
      this.#certificate = grant.certificate;
      this.#retire(this.#agent);
      this.#agent = this.#newAgent();
    }
    return grant;
  }

  #newContexts(certificate: ClientCertificate | undefined): TlsContexts | undefined {
    const { route, context, sessions } = this.#settings;
    if (!route.tls) return undefined;
    return new TlsContexts(route, certificate, `context "${context}"`, {
      // A session opened with a client certificate replaces that certificate and needs no key, so it is not stored.
      store: certificate === undefined ? sessions : undefined,
      nowMs: route.clock.now(),
    });
  }

  #newAgent(): ClusterAgent {
    const { route } = this.#settings;
    const contexts = this.#contexts;
    const connect = (signal: AbortSignal) => openSocket(route, contexts, ['http/1.1'], signal);
    return new ClusterAgent(route.tls, connect, route.clock);
  }

  /** Streams on the old agent continue. Its idle sockets use the old certificate, so this closes them. */
  #retire(old: ClusterAgent): void {
    this.#retired.add(old);
    for (const sockets of Object.values(old.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
    old.maxFreeSockets = 0;
  }
}

/** Like Go's client, hence kubectl, uses the login in the URL if the user has no other. */
function authorizationOf({ username, password }: URL): string | undefined {
  return username === '' ? undefined : basicAuthorization(decodeUserinfo(username), decodeUserinfo(password));
}
