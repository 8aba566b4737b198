import type { MakeHandler } from '../routes/make-handler.ts';

/** `POST /sign-in`: exchanges a Kubernetes token for a session. */
export const answerSignIn: MakeHandler<'POST /sign-in'> = (_, sessions) => async (context) => {
  const { session, cookies } = await sessions.signIn(context.req.valid('json').token, context.req.raw);
  for (const cookie of cookies) context.header('Set-Cookie', cookie, { append: true });
  return context.json(pageTokenOf(session), 200);
};

/** `POST /sign-out`: ends the session. */
export const answerSignOut: MakeHandler<'POST /sign-out'> = (_, sessions) => async (context) => {
  const cookies = await sessions.signOut(context.get('session'), context.req.raw);
  for (const cookie of cookies) context.header('Set-Cookie', cookie, { append: true });
  return context.body(null, 204);
};

/** Returns the part of a session that the page knows. */
export function pageTokenOf({
  pageToken,
  expiresAtMs,
}: {
  readonly pageToken: string;
  readonly expiresAtMs?: number | undefined;
}) {
  return {
    token: pageToken,
    expiresAt: expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString(),
  };
}
