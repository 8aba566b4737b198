import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { serverFailure } from '../failures.ts';
import type { Session } from '../services.ts';
import { clearCookie, readCookie, writeCookie } from './cookie.ts';
import { isOfItsPage } from './of-its-page.ts';
import { isSameSecret, randomToken } from './random-token.ts';
import type { OnSessionEnd, SessionLayer } from './session-layer.ts';

/** How long a browser keeps access. */
export const LIFETIME_MS = 7 * 24 * 60 * 60_000;
/** Above this the oldest session ends: a holder of the token cannot fill the memory. */
export const MAX_SESSIONS = 1_000;

/** Time limit from starting the program that opens the browser to the browser's request. */
export const CODE_LIFETIME_MS = 60_000;

export interface TokenSessionsOptions {
  readonly clock: Clock;
  /** The token that grants access to a browser. */
  readonly accessToken: string;
  readonly basePath: string;
  readonly onEnd: OnSessionEnd;
}

export interface TokenSessions extends SessionLayer {
  /**
   * Returns a code that admits a browser once, soon: for addresses that others may see, such as arguments of a program.
   * A second use shows that somebody else has read the code, and it is unknown which of the two was intended: it ends
   * the session of the first.
   */
  issueCode(): string;
}

/** `--auth token`: exchanges the token of the URL for a cookie; each exchange is a separate session. */
export function tokenSessions(options: TokenSessionsOptions): TokenSessions {
  return new CookieSessions(options);
}

class CookieSessions implements TokenSessions {
  readonly #options: TokenSessionsOptions;
  readonly #clock: Clock;
  /** By cookie, the oldest first. */
  readonly #sessions = new Map<string, Session & { readonly cancel: () => void }>();
  /** Cookie of the session that each code began; empty as long as it began none. */
  readonly #codes = new Map<string, { cookie: string; readonly untilMs: number }>();

  constructor(options: TokenSessionsOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  async find(request: Request): Promise<Session | undefined> {
    const cookie = readCookie(request, this.#options.basePath);
    const session = cookie === undefined ? undefined : this.#sessions.get(cookie);
    if (cookie === undefined || session === undefined) return undefined;
    if ((session.expiresAtMs ?? 0) > this.#clock.now())
      return isOfItsPage(request, session) ? session : undefined;
    this.#end(cookie, 'expired');
    return undefined;
  }

  async signIn(secret: string, request: Request): ReturnType<SessionLayer['signIn']> {
    const again = this.#sessionAgain(secret, request);
    if (again !== undefined) return { session: again, cookies: [] };
    const cookie = randomToken();
    if (!isSameSecret(secret, this.#options.accessToken)) this.#redeem(secret, cookie);
    const session = {
      id: randomToken(),
      pageToken: randomToken(),
      expiresAtMs: this.#clock.now() + LIFETIME_MS,
      cancel: this.#clock.after(LIFETIME_MS, () => this.#end(cookie, 'expired')),
    };
    this.#sessions.set(cookie, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#end(oldest, 'expired');
    const { basePath } = this.#options;
    const cookies = writeCookie(request, cookie, { basePath, maxAgeSeconds: LIFETIME_MS / 1_000 });
    return { session, cookies };
  }

  async signOut(session: Session, request: Request): ReturnType<SessionLayer['signOut']> {
    for (const [cookie, { id }] of this.#sessions) if (id === session.id) this.#end(cookie, 'signed-out');
    return clearCookie(request, this.#options.basePath);
  }

  async stillGood(): Promise<boolean> {
    return true;
  }

  issueCode(): string {
    const code = randomToken();
    this.#codes.set(code, { cookie: '', untilMs: this.#clock.now() + CODE_LIFETIME_MS });
    return code;
  }

  close(): void {
    for (const { cancel } of this.#sessions.values()) cancel();
    this.#sessions.clear();
  }

  #redeem(secret: string, cookie: string): void {
    const code = this.#codes.get(secret);
    const isFresh = code !== undefined && code.cookie === '' && this.#clock.now() < code.untilMs;
    if (code !== undefined && code.cookie !== '') this.#end(code.cookie, 'revoked');
    if (!isFresh) throw wrongToken();
    code.cookie = cookie;
  }

  /**
   * Returns the session of a browser that opens its address again. Only within the lifetime of the code: later, someone
   * who has read the code and the cookie would get the page token for them.
   */
  #sessionAgain(secret: string, request: Request): Session | undefined {
    const code = this.#codes.get(secret);
    if (code === undefined || this.#clock.now() >= code.untilMs) return undefined;
    const isSame = code.cookie === readCookie(request, this.#options.basePath);
    return isSame ? this.#sessions.get(code.cookie) : undefined;
  }

  #end(cookie: string, reason: Parameters<OnSessionEnd>[1]): void {
    const session = this.#sessions.get(cookie);
    if (session === undefined) return;
    this.#sessions.delete(cookie);
    session.cancel();
    this.#options.onEnd(session, reason);
  }
}

function wrongToken(): CodedError {
  return serverFailure('wrong-token', { problem: 'other' });
}
