import type { Clock } from '../../domain/clock.ts';
import { LogtoolError } from '../../domain/errors.ts';
import type { CheckToken } from '../clusters/check-token.ts';
import type { Session } from '../services.ts';
import { clearCookie, readCookie, writeCookie } from './cookie.ts';
import { randomToken } from './random-token.ts';
import { createSeal } from './seal.ts';
import type { OnSessionEnd, SessionLayer } from './session-layer.ts';
import { SessionRegistry } from './session-registry.ts';
import { bearerOf, expiryOf, looksLikeToken } from './token-form.ts';

/** The longest that a session lasts; one whose token says that it expires earlier ends with it. */
export const LIFETIME_MS = 12 * 60 * 60_000;
/** The shortest, where this machine's clock takes a token for expired that the cluster still takes. */
const LEAST_MS = 60_000;
/** How long a token of a proxy that the cluster did not know is refused without asking again. */
export const REFUSED_MS = 10_000;

export interface KubernetesSessionsOptions {
  readonly clock: Clock;
  readonly basePath: string;
  readonly check: CheckToken;
  readonly onEnd: OnSessionEnd;
}

/**
 * `--auth kubernetes`: each person signs in with a Kubernetes token of their own. It is kept in the cookie alone, sealed
 * with a key of this process; what a cookie opens must belong to a session that goes on. An authenticating proxy may
 * pass the token on in each request instead (`Authorization: Bearer`): a proof that needs no trust in the proxy, for
 * the cluster checks it. Where there is one, it alone counts.
 */
export function kubernetesSessions(options: KubernetesSessionsOptions): SessionLayer {
  const { clock, basePath, check, onEnd } = options;
  const seal = createSeal();
  const registry = new SessionRegistry(clock, onEnd);
  const begun = new Map<string, Promise<Session | undefined>>();
  const asked = new Map<string, Promise<boolean>>();

  function begin(
    ids: { readonly id: string; readonly pageToken: string },
    token: string,
    { user, server }: Awaited<ReturnType<CheckToken>>,
  ): Session {
    const now = clock.now();
    const expiresAtMs = Math.min(now + LIFETIME_MS, Math.max(now + LEAST_MS, expiryOf(token) ?? Infinity));
    const known = { ...ids, server, expiresAtMs, ...(user === undefined ? {} : { user }) };
    registry.add(known, user ?? seal.nameOf('owner', token));
    return { ...known, bearer: token };
  }

  function ofCookie(request: Request): Session | undefined {
    const text = seal.open(readCookie(request) ?? '');
    if (text === undefined) return undefined;
    const { id, token } = JSON.parse(text) as { readonly id: string; readonly token: string };
    const known = registry.find(id);
    return known === undefined ? undefined : { ...known, bearer: token };
  }

  async function ofProxy(token: string): Promise<Session | undefined> {
    const id = seal.nameOf('session', token);
    const known = registry.find(id);
    if (known !== undefined) return { ...known, bearer: token };
    if (registry.isRefused(id) || !looksLikeToken(token)) return undefined;
    // A page asks for many things at once: one question to the cluster is enough.
    let beginning = begun.get(id);
    if (beginning === undefined) {
      beginning = beginOfProxy(id, token).finally(() => begun.delete(id));
      begun.set(id, beginning);
    }
    return beginning;
  }

  async function beginOfProxy(id: string, token: string): Promise<Session | undefined> {
    try {
      const recognized = await check(token);
      return begin({ id, pageToken: seal.nameOf('page', token) }, token, recognized);
    } catch (error) {
      if (!isWrongToken(error)) throw error;
      registry.refuse(id, clock.now() + REFUSED_MS);
      return undefined;
    }
  }

  async function ask({ id, bearer, server }: Session): Promise<boolean> {
    try {
      await check(bearer ?? '', server);
    } catch (error) {
      // A cluster that cannot be asked has not taken anything back.
      if (!isWrongToken(error)) return true;
      registry.end(id, 'revoked');
      return false;
    }
    return registry.find(id) !== undefined;
  }

  return {
    async find(request) {
      const bearer = bearerOf(request);
      return bearer === undefined ? ofCookie(request) : ofProxy(bearer);
    },
    async signIn(secret, request) {
      const token = secret.trim();
      if (!looksLikeToken(token)) throw noToken();
      const recognized = await check(token);
      // Signing in again in another tab of the same browser: its streams go on.
      const before = ofCookie(request);
      if (before !== undefined && before.bearer !== token) registry.end(before.id, 'signed-out');
      const session =
        before?.bearer === token
          ? before
          : begin({ id: randomToken(), pageToken: randomToken() }, token, recognized);
      const value = seal.close(JSON.stringify({ id: session.id, token }));
      const leftMs = (session.expiresAtMs ?? 0) - clock.now();
      return {
        session,
        cookies: writeCookie(request, value, { basePath, maxAgeSeconds: Math.ceil(leftMs / 1_000) }),
      };
    },
    async signOut({ id }, request) {
      registry.end(id, 'signed-out');
      return clearCookie(request, basePath);
    },
    stillGood(session) {
      const { id } = session;
      let asking = asked.get(id);
      if (asking === undefined) {
        asking = ask(session).finally(() => asked.delete(id));
        asked.set(id, asking);
      }
      return asking;
    },
    close: () => registry.close(),
  };
}

function isWrongToken(error: unknown): boolean {
  return error instanceof LogtoolError && error.code === 'wrong-token';
}

function noToken(): LogtoolError {
  return new LogtoolError({
    code: 'wrong-token',
    what: 'this is no Kubernetes token',
    why: 'a token has letters, digits and - . _ ~ + / = alone',
    next: 'paste the token alone, in one piece',
  });
}
