import type { Socket } from 'node:net';
import { type SecureContext, connect as tlsConnect } from 'node:tls';
import type { Clock } from '../../domain/clock.ts';
import { LogtoolError } from '../../domain/errors.ts';
import { dial, settled } from './dial.ts';
import { tunnel } from './http-proxy.ts';
import { type ProxyServer, proxyRefused } from './proxy.ts';
import { socks5 } from './socks5.ts';
import { proxyAuthorities, type ServerTrust, secureContext, sniName } from './tls-options.ts';

/**
 * The newest TLS session of each context, hence of one server and one client certificate: later connections go on with
 * it (RFC 8446 section 2.2), which saves both sides the signatures, most of what a hundred connections at once cost. A
 * server that knows it no more makes a full handshake instead.
 */
const sessions = new WeakMap<SecureContext, Buffer>();

/** The way to one API server. */
export interface Route {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly trust: ServerTrust;
  readonly proxy: ProxyServer | undefined;
  readonly clock: Clock;
}

/**
 * A socket to the API server that is ready for HTTP. Rejects with the system's error, TLS's, LogtoolError
 * `proxy-refused`, or the signal's reason.
 */
export async function openSocket(
  route: Route,
  context: SecureContext | undefined,
  alpn: readonly string[],
  signal?: AbortSignal,
): Promise<Socket> {
  signal?.throwIfAborted();
  const raw = await (route.proxy === undefined
    ? dial(route.host, route.port, route.clock, signal)
    : throughProxy(route, route.proxy, signal));
  if (!route.tls) return raw;
  // From here on the TLS socket reports what happens to the one below it.
  raw.on('error', () => {});
  const name = route.trust.serverName || route.host;
  const session = context === undefined ? undefined : sessions.get(context);
  const socket = tlsConnect({
    socket: raw,
    ...(session === undefined ? {} : { session }),
    // The name that the certificate is checked for; the one sent may be none.
    host: name,
    servername: sniName(name),
    ...(context === undefined ? {} : { secureContext: context }),
    rejectUnauthorized: !route.trust.insecure,
    ALPNProtocols: [...alpn],
  });
  if (context !== undefined) {
    socket.on('session', (next) => {
      if (socket.authorized) sessions.set(context, next);
    });
  }
  return settled(socket, 'secureConnect', `TLS with ${route.host}:${route.port}`, route.clock, signal);
}

async function throughProxy(
  route: Route,
  proxy: ProxyServer,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  const target = `${route.host.includes(':') ? `[${route.host}]` : route.host}:${route.port}`;
  try {
    let socket = await dial(proxy.host, proxy.port, route.clock, signal);
    if (proxy.kind === 'https') socket = await secured(socket, route, proxy, signal);
    if (proxy.kind === 'socks5') await socks5(socket, proxy, route.host, route.port, route.clock, signal);
    else await tunnel(socket, proxy, target, route.clock, signal);
    return socket;
  } catch (error) {
    if (error instanceof LogtoolError || signal?.aborted) throw error;
    const first = error instanceof AggregateError ? error.errors[0] : error;
    throw proxyRefused(proxy, target, first instanceof Error ? first.message : String(first), error);
  }
}

/** TLS with the proxy itself; the client certificate is for the API server and not shown here. */
function secured(
  raw: Socket,
  route: Route,
  proxy: ProxyServer,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  raw.on('error', () => {});
  const socket = tlsConnect({
    socket: raw,
    host: proxy.host,
    servername: sniName(proxy.host),
    secureContext: secureContext(proxyAuthorities(route.trust), undefined, proxy.shown),
    rejectUnauthorized: !route.trust.insecure,
    ALPNProtocols: ['http/1.1'],
  });
  return settled(socket, 'secureConnect', `TLS with ${proxy.shown}`, route.clock, signal);
}
