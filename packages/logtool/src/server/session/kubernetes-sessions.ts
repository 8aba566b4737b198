import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import type { CheckToken } from '../clusters/check-token.ts';
import type { Asker } from '../clusters/check-turns.ts';
import { addressOf, connectionOf } from '../connections/peer.ts';
import { givenPageToken } from '../security/page-token.ts';
import type { Session } from '../services.ts';
import { clearCookie, readCookie, writeCookie } from './cookie.ts';
import { isOfItsPage } from './of-its-page.ts';
import { personOf } from './person-of.ts';
import { isSameSecret, randomToken } from './random-token.ts';
import { createSeal } from './seal.ts';
import type { OnSessionEnd, SessionLayer } from './session-layer.ts';
import { type KnownSession, SessionRegistry } from './session-registry.ts';
import { SharedQuestion } from './shared-question.ts';
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
  /** Keys that other replicas have too (read-session-keys.ts). Undefined: a key of this process. */
  readonly keys?: readonly string[] | undefined;
}

/** What a cookie holds: the whole session, so that a replica that did not begin it can go on with it. */
type Sealed = Omit<KnownSession, 'person'> & { readonly token: string };

/**
 * `--auth kubernetes`: each person signs in with a Kubernetes token of their own. Only the cookie keeps it, sealed. With
 * a key of this process, what a cookie opens must belong to a session that this process began. With shared keys, a
 * replica also takes the sessions of the others, and of itself before a restart, except those that it has ended itself:
 * replicas do not talk to each other, so signing out takes the cookie from the browser and ends the streams of the
 * replica that was asked. What the cluster refuses ends everywhere. An authenticating proxy may pass the token on in
 * each request instead (`Authorization: Bearer`): a proof that needs no trust in the proxy, for the cluster checks it.
 * Where there is one, it alone counts.
 */
export function kubernetesSessions(options: KubernetesSessionsOptions): SessionLayer {
  const { clock, basePath, check, onEnd, keys } = options;
  const seal = createSeal(keys);
  const registry = new SessionRegistry(clock, onEnd);
  const begun = new Map<string, SharedQuestion<Session | undefined>>();
  const asked = new Map<string, Promise<boolean>>();

  function begin(
    ids: { readonly id: string; readonly pageToken: string },
    token: string,
    { user, server }: Awaited<ReturnType<CheckToken>>,
  ): Session {
    const now = clock.now();
    const expiresAtMs = Math.min(now + LIFETIME_MS, Math.max(now + LEAST_MS, expiryOf(token) ?? Infinity));
    const named = user === undefined ? {} : { user };
    const known = { ...ids, server, expiresAtMs, person: personWith(user, token), ...named };
    registry.add(known);
    return { ...known, bearer: token };
  }

  /** Of a cluster that does not name its users, each token is a person. */
  function personWith(user: string | undefined, token: string): string {
    return user === undefined ? `token ${seal.nameOf('owner', token)}` : `user ${user}`;
  }

  /** `isOwn`: whether whoever sends the cookie is whom it was given to. */
  function ofCookie(request: Request, isOwn: (sealed: Sealed) => boolean): Session | undefined {
    const text = seal.open(readCookie(request, basePath) ?? '');
    if (text === undefined) return undefined;
    const opened = JSON.parse(text) as Sealed;
    if (!isOwn(opened)) return undefined;
    const { token, ...sealed } = opened;
    const known = registry.find(sealed.id) ?? adopt(sealed, token);
    return known === undefined ? undefined : { ...known, bearer: token };
  }

  /** The cluster is not asked again: it refuses a token that it has taken back when that is used. */
  function adopt(sealed: Omit<Sealed, 'token'>, token: string): KnownSession | undefined {
    if (keys === undefined || registry.isRefused(sealed.id) || sealed.expiresAtMs <= clock.now())
      return undefined;
    const known = { ...sealed, person: personWith(sealed.user, token) };
    registry.add(known);
    return known;
  }

  async function ofProxy(token: string, request: Request): Promise<Session | undefined> {
    const given = givenPageToken(request);
    const id = seal.nameOf('session', token);
    const known = registry.find(id);
    if (known !== undefined) return { ...known, pageToken: pageTokenOf(token, given), bearer: token };
    if (registry.isRefused(id) || !looksLikeToken(token)) return undefined;
    // A page asks for many things at once: one question to the cluster is enough.
    let question = begun.get(id);
    if (question === undefined) {
      const made = new SharedQuestion(
        (signal) => beginOfProxy(id, token, { ...askerOf(request), signal }),
        () => {
          if (begun.get(id) === made) begun.delete(id);
        },
      );
      begun.set(id, made);
      question = made;
    }
    const session = await question.join(request.signal);
    return session === undefined ? undefined : { ...session, pageToken: pageTokenOf(token, given) };
  }

  /** The given one where any of the keys has made it: a page may come from a replica that seals with another. */
  function pageTokenOf(token: string, given: string): string {
    const names = seal.namesOf('page', token);
    return names.find((name) => isSameSecret(given, name)) ?? names[0] ?? '';
  }

  async function beginOfProxy(id: string, token: string, asker: Asker): Promise<Session | undefined> {
    try {
      const recognized = await check(token, asker);
      return begin({ id, pageToken: pageTokenOf(token, '') }, token, recognized);
    } catch (error) {
      if (!isWrongToken(error)) throw error;
      registry.refuse(id, clock.now() + REFUSED_MS);
      return undefined;
    }
  }

  async function ask(session: Session): Promise<boolean> {
    const { id, bearer, server } = session;
    try {
      await check(bearer ?? '', { person: personOf(session), address: '' }, server);
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
      return bearer === undefined
        ? ofCookie(request, (sealed) => isOfItsPage(request, sealed))
        : ofProxy(bearer, request);
    },
    async signIn(secret, request) {
      const token = secret.trim();
      if (!looksLikeToken(token)) throw noToken();
      const isOwn = (sealed: Sealed) => sealed.token === token || isOfItsPage(request, sealed);
      const { person } = ofCookie(request, isOwn) ?? {};
      const recognized = await check(token, { ...askerOf(request), person, signal: request.signal });
      // Signing in again in another tab of the same browser: its streams go on.
      const before = ofCookie(request, isOwn);
      if (before !== undefined && before.bearer !== token) registry.end(before.id, 'signed-out');
      const session =
        before?.bearer === token
          ? before
          : begin({ id: randomToken(), pageToken: randomToken() }, token, recognized);
      const { bearer: _, person: __, expiresAtMs = 0, ...known } = session;
      const value = seal.close(JSON.stringify({ ...known, expiresAtMs, token } satisfies Sealed));
      const leftMs = expiresAtMs - clock.now();
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

/** Somebody of whom no more is known than where the request comes from. */
function askerOf(request: Request): Asker {
  return { address: addressOf(request), connection: connectionOf(request) };
}

function isWrongToken(error: unknown): boolean {
  return error instanceof LogtoolError && error.code === 'wrong-token';
}

function noToken(): LogtoolError {
  return new LogtoolError({
    code: 'wrong-token',
    what: 'this is no Kubernetes token',
    why: 'a token has only letters, digits and - . _ ~ + / =',
    next: 'paste only the token, in one piece',
  });
}
