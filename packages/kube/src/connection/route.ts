import type { Clock } from '../values/clock.ts';
import { environmentProxy } from './environment-proxy.ts';
import { type ProxyServer, parseProxy } from './proxy.ts';
import { publicAuthorities } from './public-authorities.ts';
import type { ServerTrust } from './tls-options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How to reach one API server. */
export interface Route {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly trust: ServerTrust;
  readonly proxy: ProxyServer | undefined;
  readonly clock: Clock;
}

/** Returns the route to the host and port of a URL. */
export function routeTo(url: URL, trust: ServerTrust, proxy: ProxyServer | undefined, clock: Clock): Route {
  const tls = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (tls ? 443 : 80) : Number(url.port);
  return { host, port, tls, trust, proxy, clock };
}

/** Returns the proxy that the environment names for a URL. Throws CodedError `bad-proxy-url`. */
export function proxyOfEnvironment(url: URL, env: Environment): ProxyServer | undefined {
  const text = environmentProxy(url, env);
  if (text === undefined) return undefined;
  return parseProxy(text, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
}

/**
 * Returns the route to a server outside the cluster (an OIDC issuer): through the environment's proxy, and trusted if
 * the machine's authorities or `ca` (PEM) vouch for it. Throws CodedError `bad-proxy-url`.
 */
export async function routeOutside(
  url: URL,
  ca: Buffer | undefined,
  env: Environment,
  clock: Clock,
): Promise<Route> {
  const publicCa = await publicAuthorities(env);
  return routeTo(url, { ca, publicCa, insecure: false, serverName: '' }, proxyOfEnvironment(url, env), clock);
}
