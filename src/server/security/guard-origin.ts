import type { MiddlewareHandler } from 'hono';
import type { ServerEnv } from '../services.ts';
import { type AllowedHosts, foreignHost, foreignOrigin } from './allowed-hosts.ts';

/** Refuses requests that were led here by a foreign name (DNS rebinding), and those of pages of another origin. */
export function guardOrigin(hosts: AllowedHosts): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const host = context.req.header('host');
    if (host === undefined || !hosts.allowsHost(host)) throw foreignHost(host);
    const origin = context.req.header('origin');
    if (origin !== undefined && !hosts.allowsOrigin(origin, host)) throw foreignOrigin();
    if (!isFetchOfOurs(context.req.raw.headers, context.req.method)) throw foreignOrigin();
    await next();
  };
}

/**
 * Sec-Fetch-Site, where the browser sends it (https://www.w3.org/TR/fetch-metadata/). A link from elsewhere may lead
 * to the page: what is followed is a navigation to a whole document, which its own site cannot look into.
 */
function isFetchOfOurs(headers: Headers, method: string): boolean {
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return true;
  const isLink = headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';
  return isLink && method === 'GET';
}

/** For the API, to which no link of another site leads. */
export function guardFetchSite(): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const site = context.req.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreignOrigin();
    await next();
  };
}
