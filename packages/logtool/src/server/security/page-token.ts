import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { MiddlewareHandler } from 'hono';
import { ROUTES } from '../../contract/routes.ts';
import { serverFailure } from '../failures.ts';
import { pathPattern } from '../routes/path-pattern.ts';
import type { ServerEnv } from '../services.ts';
import { isSameSecret } from '../session/random-token.ts';

export const PAGE_TOKEN_HEADER = 'x-logtool-token';

/** Returns the page token in a request's header or address; empty if absent. */
export function givenPageToken(request: Request): string {
  return request.headers.get(PAGE_TOKEN_HEADER) ?? new URL(request.url).searchParams.get('token') ?? '';
}

interface RouteShape {
  readonly method: string;
  readonly path: string;
  readonly request?: object;
  readonly responses: object;
}

/** Where the token is: a browser's link cannot carry a header. */
export type TokenLocation = 'header' | 'query' | 'none';

/**
 * Returns where a route of the contract takes the token. Routes that change something or stream take one, except for
 * signing in, when no session exists yet.
 */
export function tokenLocationOf(route: RouteShape): TokenLocation {
  if (route.path === ROUTES['POST /sign-in'].path) return 'none';
  const { query } = (route.request ?? {}) as { readonly query?: { readonly shape?: object } };
  if ('token' in (query?.shape ?? {})) return 'query';
  const { 200: good } = route.responses as { readonly 200?: { readonly content?: object } };
  const streams = 'application/x-ndjson' in (good?.content ?? {});
  return route.method !== 'get' || streams ? 'header' : 'none';
}

interface Rule {
  readonly method: string;
  readonly pattern: RegExp;
  readonly location: TokenLocation;
}

const RULES: readonly Rule[] = Object.values<RouteShape>(ROUTES).map((route) => ({
  method: route.method.toUpperCase(),
  pattern: pathPattern(route.path),
  location: tokenLocationOf(route),
}));

/**
 * Refuses a request without the page token if its route requires one. A request without a route requires one unless it
 * only reads.
 */
export function guardPageToken(prefix: string): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    // Matches like the router, which decodes escapes: `%6Cogs` leads to `logs`.
    const { method } = context.req;
    const path = context.req.path.slice(prefix.length);
    const rule = RULES.find((each) => each.method === method && each.pattern.test(path));
    const location = rule?.location ?? (method === 'GET' ? 'none' : 'header');
    if (location !== 'none') {
      const given = location === 'query' ? context.req.query('token') : context.req.header(PAGE_TOKEN_HEADER);
      if (given === undefined || !isSameSecret(given, context.get('session').pageToken)) throw pageToken();
    }
    await next();
  };
}

function pageToken(): CodedError {
  return serverFailure('page-token', {});
}
