import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { MiddlewareHandler } from 'hono';
import { ROUTES } from '../../contract/routes.ts';
import { connectionOf } from '../connections/peer.ts';
import { serverFailure } from '../failures.ts';
import type { ServerEnv, Session } from '../services.ts';
import { personOf } from './person-of.ts';
import type { SessionLayer } from './session-layer.ts';

/** Routes for people who are not signed in. They use only the session that they find themselves. */
const OPEN_PATHS: readonly string[] = Object.values(ROUTES)
  .filter((route) => 'security' in route)
  .map(({ path }) => path);

/** No session: only the routes above are reachable without one. */
const NOBODY: Session = { id: '', pageToken: '' };

/** Finds the session of a request; refuses a request without one. */
export function guardSession(sessions: SessionLayer, prefix: string): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const path = context.req.path.slice(prefix.length);
    if (OPEN_PATHS.includes(path)) {
      context.set('session', NOBODY);
    } else {
      const session = await sessions.find(context.req.raw);
      if (session === undefined) throw notSignedIn();
      if (isSignedIn(session)) connectionOf(context.req.raw)?.vouch(personOf(session));
      context.set('session', session);
    }
    await next();
  };
}

/**
 * Whether the session counts as a person's. With `--auth none` anyone can get any number of sessions, so their
 * connections count by address.
 */
function isSignedIn({ person, expiresAtMs }: Session): boolean {
  return person !== undefined || expiresAtMs !== undefined;
}

function notSignedIn(): CodedError {
  return serverFailure('not-signed-in', {});
}
