import { signIn, signOut } from '../../contract/routes.ts';
import type { Api } from '../services.ts';
import type { SessionLayer } from './session-layer.ts';

/** Signing in and out. */
export function registerSignIn(api: Api, sessions: SessionLayer): void {
  api.openapi(signIn, async (context) => {
    const { session, cookies } = await sessions.signIn(context.req.valid('json').token, context.req.raw);
    for (const cookie of cookies) context.header('Set-Cookie', cookie, { append: true });
    return context.json(pageTokenOf(session), 200);
  });
  api.openapi(signOut, async (context) => {
    const cookies = await sessions.signOut(context.get('session'), context.req.raw);
    for (const cookie of cookies) context.header('Set-Cookie', cookie, { append: true });
    return context.body(null, 204);
  });
}

/** What the page is told of a session. */
export function pageTokenOf({
  pageToken,
  expiresAtMs,
}: {
  readonly pageToken: string;
  readonly expiresAtMs?: number | undefined;
}) {
  return {
    token: pageToken,
    ...(expiresAtMs === undefined ? {} : { expiresAt: new Date(expiresAtMs).toISOString() }),
  };
}
