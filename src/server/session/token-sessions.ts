import type { Clock } from '../../domain/clock.ts';
import { LogtoolError } from '../../domain/errors.ts';
import type { Session } from '../services.ts';
import { clearCookie, readCookie, writeCookie } from './cookie.ts';
import { isSameSecret, randomToken } from './random-token.ts';
import type { OnSessionEnd, SessionLayer } from './session-layer.ts';

/** How long a browser stays let in. */
export const LIFETIME_MS = 7 * 24 * 60 * 60_000;
/** Beyond this the oldest session ends: whoever has the token cannot fill the memory. */
export const MAX_SESSIONS = 1_000;

export interface TokenSessionsOptions {
  readonly clock: Clock;
  /** What lets a browser in. */
  readonly accessToken: string;
  readonly basePath: string;
  readonly onEnd: OnSessionEnd;
}

/** `--auth token`: the token of the URL is exchanged for a cookie; each exchange is a session of its own. */
export function tokenSessions(options: TokenSessionsOptions): SessionLayer {
  const { clock, accessToken, basePath, onEnd } = options;
  /** By cookie, the oldest first. */
  const sessions = new Map<string, Session & { readonly cancel: () => void }>();

  function end(cookie: string, reason: Parameters<OnSessionEnd>[1]): void {
    const session = sessions.get(cookie);
    if (session === undefined) return;
    sessions.delete(cookie);
    session.cancel();
    onEnd(session, reason);
  }

  return {
    async find(request) {
      const cookie = readCookie(request);
      const session = cookie === undefined ? undefined : sessions.get(cookie);
      if (cookie === undefined || session === undefined) return undefined;
      if ((session.expiresAtMs ?? 0) > clock.now()) return session;
      end(cookie, 'expired');
      return undefined;
    },
    async signIn(secret, request) {
      if (!isSameSecret(secret, accessToken)) throw wrongToken();
      const cookie = randomToken();
      const session = {
        id: randomToken(),
        pageToken: randomToken(),
        expiresAtMs: clock.now() + LIFETIME_MS,
        cancel: clock.after(LIFETIME_MS, () => end(cookie, 'expired')),
      };
      sessions.set(cookie, session);
      const [oldest] = sessions.keys();
      if (sessions.size > MAX_SESSIONS && oldest !== undefined) end(oldest, 'expired');
      return {
        session,
        cookies: writeCookie(request, cookie, { basePath, maxAgeSeconds: LIFETIME_MS / 1_000 }),
      };
    },
    async signOut(session, request) {
      for (const [cookie, { id }] of sessions) if (id === session.id) end(cookie, 'signed-out');
      return clearCookie(request, basePath);
    },
    stillGood: async () => true,
    close() {
      for (const { cancel } of sessions.values()) cancel();
      sessions.clear();
    },
  };
}

function wrongToken(): LogtoolError {
  return new LogtoolError({
    code: 'wrong-token',
    what: 'this token is not the one of the server',
    why: 'each start of the server has a new one',
    next: 'open the address that the server printed at its start',
  });
}
