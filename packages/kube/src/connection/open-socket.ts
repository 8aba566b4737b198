import type { Socket } from 'node:net';
import { type SecureContext, connect as tlsConnect } from 'node:tls';
import { CodedError } from '../values/coded-error.ts';
import { whyOf } from '../values/problems.ts';
import { dial, settled } from './dial.ts';
import { tunnel } from './http-proxy.ts';
import { type ProxyServer, proxyRefused } from './proxy.ts';
import type { Route } from './route.ts';
import { socks5 } from './socks5.ts';
import type { TlsWay } from './tls-contexts.ts';
import { proxyAuthorities, secureContext, sniName } from './tls-options.ts';

/**
 * Opens a socket to the API server that is ready for HTTP. Rejects with the system's error, a TLS error, CodedError
 * `proxy-refused`, or the signal's reason. If the server does not resume a kept session, this costs a second
 * connection.
 */
export async function openSocket(
  route: Route,
  tls: TlsWay | undefined,
  alpn: readonly string[],
  signal?: AbortSignal,
): Promise<Socket> {
  const kept = tls?.kept();
  if (tls !== undefined && kept !== undefined) {
    const raw = await reach(route, signal);
    try {
      return await secured(raw, route, tls, kept.context, alpn, signal, kept.session);
    } catch (error) {
      // The checking context already made the full check: another connection would fail the same way.
      if (signal?.aborted || isTimeOut(error) || kept.context === tls.checking()) throw error;
      tls.forget(kept);
    }
  }
  const raw = await reach(route, signal);
  if (tls === undefined) return raw;
  return secured(raw, route, tls, tls.checking(), alpn, signal);
}

/** Opens a connection to the server's port, directly or through the proxy. */
async function reach(route: Route, signal: AbortSignal | undefined): Promise<Socket> {
  signal?.throwIfAborted();
  if (route.proxy !== undefined) return throughProxy(route, route.proxy, signal);
  return dial(route.host, route.port, route.clock, signal);
}

function secured(
  raw: Socket,
  route: Route,
  tls: TlsWay,
  context: SecureContext,
  alpn: readonly string[],
  signal: AbortSignal | undefined,
  session?: Buffer,
): Promise<Socket> {
  // From here on, the TLS socket reports errors of the socket below it.
  raw.on('error', () => {});
  const name = route.trust.serverName || route.host;
  const socket = tlsConnect({
    socket: raw,
    ...(session === undefined ? {} : { session }),
    // The name to check the certificate for; the name sent (SNI) may be empty.
    host: name,
    servername: sniName(name),
    secureContext: context,
    rejectUnauthorized: !route.trust.insecure,
    ALPNProtocols: [...alpn],
  });
  socket.on('session', (next) => {
    if (socket.authorized) tls.keep(context, next, route.clock.now());
  });
  return settled(
    socket,
    'secureConnect',
    { step: 'tls', to: `${route.host}:${route.port}` },
    route.clock,
    signal,
  );
}

function isTimeOut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT';
}

async function throughProxy(
  route: Route,
  proxy: ProxyServer,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  const target = `${route.host.includes(':') ? `[${route.host}]` : route.host}:${route.port}`;
  try {
    let socket = await dial(proxy.host, proxy.port, route.clock, signal);
    if (proxy.kind === 'https') socket = await securedProxy(socket, route, proxy, signal);
    if (proxy.kind === 'socks5') await socks5(socket, proxy, route.host, route.port, route.clock, signal);
    else await tunnel(socket, proxy, target, route.clock, signal);
    return socket;
  } catch (error) {
    if (error instanceof CodedError || signal?.aborted) throw error;
    const first = error instanceof AggregateError ? error.errors[0] : error;
    throw proxyRefused(proxy, target, whyOf(first), error);
  }
}

/** Opens TLS with the proxy itself. The client certificate is for the API server, so this does not present it. */
function securedProxy(
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
  return settled(socket, 'secureConnect', { step: 'tls', to: proxy.shown }, route.clock, signal);
}
