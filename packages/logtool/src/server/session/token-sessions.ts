import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import type { Session } from '../services.ts';
import { clearCookie, readCookie, writeCookie } from './cookie.ts';
import { isOfItsPage } from './of-its-page.ts';
import { isSameSecret, randomToken } from './random-token.ts';
import type { OnSessionEnd, SessionLayer } from './session-layer.ts';

/** How long a browser stays let in. */
export const LIFETIME_MS = 7 * 24 * 60 * 60_000;
/** Beyond this the oldest session ends: whoever has the token cannot fill the memory. */
export const MAX_SESSIONS = 1_000;

/** How long the program that opens the browser may take until the browser asks. */
export const CODE_LIFETIME_MS = 60_000;

export interface TokenSessionsOptions {
  readonly clock: Clock;
  /** What lets a browser in. */
  readonly accessToken: string;
  readonly basePath: string;
  readonly onEnd: OnSessionEnd;
}

export interface TokenSessions extends SessionLayer {
  /**
   * What lets a browser in once, soon: for addresses that others may see, as arguments of a program are. A second use
   * tells that somebody has read it, and nobody knows which of both was meant: it ends the session of the first.
   */
  issueCode(): string;
}

/** `--auth token`: the token of the URL is exchanged for a cookie; each exchange is a session of its own. */
export function tokenSessions(options: TokenSessionsOptions): TokenSessions {
  const { clock, accessToken, basePath, onEnd } = options;
  /** By cookie, the oldest first. */
  const sessions = new Map<string, Session & { readonly cancel: () => void }>();

  /** Cookie of the session that each code has begun; empty as long as it has begun none. */
  const codes = new Map<string, { cookie: string; readonly untilMs: number }>();

  function redeem(secret: string, cookie: string): void {
    const code = codes.get(secret);
    const isFresh = code !== undefined && code.cookie === '' && clock.now() < code.untilMs;
    if (code !== undefined && code.cookie !== '') end(code.cookie, 'revoked');
    if (!isFresh) throw wrongToken();
    code.cookie = cookie;
  }

  /**
   * The session of a browser that opens its address again. Only within the lifetime of the code: after that, whoever
   * has read the code and the cookie would get the page token for them.
   */
  function sessionAgain(secret: string, request: Request): Session | undefined {
    const code = codes.get(secret);
    if (code === undefined || clock.now() >= code.untilMs) return undefined;
    return code.cookie === readCookie(request, basePath) ? sessions.get(code.cookie) : undefined;
  }

  function end(cookie: string, reason: Parameters<OnSessionEnd>[1]): void {
    const session = sessions.get(cookie);
    if (session === undefined) return;
    sessions.delete(cookie);
    session.cancel();
    onEnd(session, reason);
  }

  return {
    async find(request) {
      const cookie = readCookie(request, basePath);
      const session = cookie === undefined ? undefined : sessions.get(cookie);
      if (cookie === undefined || session === undefined) return undefined;
      if ((session.expiresAtMs ?? 0) > clock.now())
        return isOfItsPage(request, session) ? session : undefined;
      end(cookie, 'expired');
      return undefined;
    },
    async signIn(secret, request) {
      const again = sessionAgain(secret, request);
      if (again !== undefined) return { session: again, cookies: [] };
      const cookie = randomToken();
      if (!isSameSecret(secret, accessToken)) redeem(secret, cookie);
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
    issueCode() {
      const code = randomToken();
      codes.set(code, { cookie: '', untilMs: clock.now() + CODE_LIFETIME_MS });
      return code;
    },
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
