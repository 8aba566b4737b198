import type { MiddlewareHandler } from 'hono';
import type { ServerEnv } from '../services.ts';
import { type AllowedHosts, foreignHost, foreignOrigin } from './allowed-hosts.ts';
import { schemeOf } from './scheme-of.ts';

export interface OriginGuard {
  readonly hosts: AllowedHosts;
  /** Paths that answer under any name: kubelets and load balancers use the address. Pages still cannot read them. */
  readonly anyHost: readonly string[];
}

/** Refuses requests that a foreign name led here (DNS rebinding), and those from pages of another origin. */
export function guardOrigin({ hosts, anyHost }: OriginGuard): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const host = context.req.header('host');
    const isKnown = host !== undefined && hosts.allowsHost(host);
    if (!isKnown && !anyHost.includes(context.req.path)) throw foreignHost(host);
    const origin = context.req.header('origin');
    if (origin !== undefined && !isOwn(origin, host ?? '', context.req.raw, hosts)) throw foreignOrigin();
    if (!isFetchOfOurs(context.req.raw.headers, context.req.method)) throw foreignOrigin();
    await next();
  };
}

function isOwn(origin: string, host: string, request: Request, hosts: AllowedHosts): boolean {
  if (hosts.allowsOrigin({ origin, host, scheme: schemeOf(request) })) return true;
  // Behind a proxy that ends TLS without a header: the browser reports it, and no page can fake that.
  return (
    request.headers.get('sec-fetch-site') === 'same-origin' &&
    hosts.allowsOrigin({ origin, host, scheme: 'https' })
  );
}

/**
 * Checks Sec-Fetch-Site, if the browser sends it (https://www.w3.org/TR/fetch-metadata/). A link from elsewhere may
 * lead to the page: following it is a navigation to a whole document, which the linking site cannot read.
 */
function isFetchOfOurs(headers: Headers, method: string): boolean {
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return true;
  const isLink = headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';
  return isLink && method === 'GET';
}

/** Guards the API, which no link of another site may reach. */
export function guardFetchSite(): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const site = context.req.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreignOrigin();
    await next();
  };
}
