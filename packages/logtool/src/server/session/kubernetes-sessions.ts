import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { CheckToken } from '../clusters/check-token.ts';
import type { Asker } from '../clusters/check-turns.ts';
import { addressOf, connectionOf } from '../connections/peer.ts';
import { serverFailure } from '../failures.ts';
import { givenPageToken } from '../security/page-token.ts';
import type { Session } from '../services.ts';
import { clearCookie, readCookie, writeCookie } from './cookie.ts';
import { isOfItsPage } from './of-its-page.ts';
import { personOf } from './person-of.ts';
import { isSameSecret, randomToken } from './random-token.ts';
import { createSeal, type Seal } from './seal.ts';
import type { OnSessionEnd, SessionLayer } from './session-layer.ts';
import { type KnownSession, SessionRegistry } from './session-registry.ts';

/** Maximum length of a token, as in the contract. */
const MAX_LENGTH = 16_384;

/** Maximum lifetime of a session; a token that expires earlier shortens it. */
export const LIFETIME_MS = 12 * 60 * 60_000;
/** Minimum lifetime, for a token that looks expired by this machine's clock but that the cluster accepts. */
const MIN_LIFETIME_MS = 60_000;
/** How long a proxy's token that the cluster did not recognize is refused without a new check. */
export const REFUSED_MS = 10_000;

export interface KubernetesSessionsOptions {
  readonly clock: Clock;
  readonly basePath: string;
  readonly check: CheckToken;
  readonly onEnd: OnSessionEnd;
  /** Keys that other replicas share (read-session-keys.ts). Undefined: a key of this process. */
  readonly keys?: readonly string[] | undefined;
}

/** The content of a cookie: the whole session, so that another replica can continue it. */
type Sealed = Omit<KnownSession, 'person'> & { readonly token: string };

/**
 * `--auth kubernetes`: each person signs in with their own Kubernetes token. Only the cookie keeps it, sealed. With a
 * key of this process, a cookie must belong to a session that this process began. With shared keys, a replica also
 * accepts the sessions of the others, and its own from before a restart, except those that it has ended itself:
 * replicas do not communicate, so signing out removes the cookie from the browser and ends the streams of the replica
 * that handles it. A token that the cluster refuses ends its sessions on all replicas. An authenticating proxy may pass
 * the token on in each request instead (`Authorization: Bearer`): this needs no trust in the proxy, because the cluster
 * checks the token. Such a token takes precedence.
 */
export function kubernetesSessions(options: KubernetesSessionsOptions): SessionLayer {
  return new KubernetesSessions(options);
}

class KubernetesSessions implements SessionLayer {
  readonly #options: KubernetesSessionsOptions;
  readonly #clock: Clock;
  readonly #seal: Seal;
  readonly #registry: SessionRegistry;
  /** Sessions of a proxy that are starting, by id: a page sends many requests at once. */
  readonly #beginning = new Map<string, SharedQuestion<Session | undefined>>();
  /** Running checks of tokens, by session. */
  readonly #checks = new Map<string, Promise<boolean>>();

  constructor(options: KubernetesSessionsOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#seal = createSeal(options.keys);
    this.#registry = new SessionRegistry(options.clock, options.onEnd);
  }

  async find(request: Request): Promise<Session | undefined> {
    const bearer = bearerOf(request);
    return bearer === undefined
      ? this.#ofCookie(request, (sealed) => isOfItsPage(request, sealed))
      : this.#ofProxy(bearer, request);
  }

  async signIn(secret: string, request: Request): ReturnType<SessionLayer['signIn']> {
    const token = secret.trim();
    if (!resemblesToken(token)) throw noToken();
    const isOwn = (sealed: Sealed) => sealed.token === token || isOfItsPage(request, sealed);
    const { person } = this.#ofCookie(request, isOwn) ?? {};
    const asker = { ...askerOf(request), person, signal: request.signal };
    const recognized = await this.#options.check(token, asker);
    const session =
      this.#sessionToKeep(request, token, isOwn) ??
      this.#begin({ id: randomToken(), pageToken: randomToken() }, token, recognized);
    return { session, cookies: this.#cookiesOf(session, token, request) };
  }

  async signOut({ id }: Session, request: Request): ReturnType<SessionLayer['signOut']> {
    this.#registry.end(id, 'signed-out');
    return clearCookie(request, this.#options.basePath);
  }

  stillGood(session: Session): Promise<boolean> {
    const { id } = session;
    let checking = this.#checks.get(id);
    if (checking === undefined) {
      checking = this.#check(session).finally(() => this.#checks.delete(id));
      this.#checks.set(id, checking);
    }
    return checking;
  }

  close(): void {
    this.#registry.close();
  }

  /** Signing in again with the same token in another tab keeps the session and its streams; another token ends it. */
  #sessionToKeep(request: Request, token: string, isOwn: (sealed: Sealed) => boolean): Session | undefined {
    const previous = this.#ofCookie(request, isOwn);
    if (previous === undefined || previous.bearer === token) return previous;
    this.#registry.end(previous.id, 'signed-out');
    return undefined;
  }

  #cookiesOf(session: Session, token: string, request: Request): readonly string[] {
    const { bearer: _, person: __, expiresAtMs = 0, ...known } = session;
    const value = this.#seal.close(JSON.stringify({ ...known, expiresAtMs, token } satisfies Sealed));
    const maxAgeSeconds = Math.ceil((expiresAtMs - this.#clock.now()) / 1_000);
    return writeCookie(request, value, { basePath: this.#options.basePath, maxAgeSeconds });
  }

  #begin(
    ids: { readonly id: string; readonly pageToken: string },
    token: string,
    { user, server }: Awaited<ReturnType<CheckToken>>,
  ): Session {
    const now = this.#clock.now();
    const expiresAtMs = Math.min(
      now + LIFETIME_MS,
      Math.max(now + MIN_LIFETIME_MS, expiryOf(token) ?? Infinity),
    );
    const named = user === undefined ? {} : { user };
    const known = { ...ids, server, expiresAtMs, person: this.#personWith(user, token), ...named };
    this.#registry.add(known);
    return { ...known, bearer: token };
  }

  /** In a cluster that does not name its users, each token is a person. */
  #personWith(user: string | undefined, token: string): string {
    return user === undefined ? `token ${this.#seal.nameOf('owner', token)}` : `user ${user}`;
  }

  /** Returns the session of a cookie. `isOwn`: whether the cookie comes from the browser that received it. */
  #ofCookie(request: Request, isOwn: (sealed: Sealed) => boolean): Session | undefined {
    const text = this.#seal.open(readCookie(request, this.#options.basePath) ?? '');
    if (text === undefined) return undefined;
    const opened = JSON.parse(text) as Sealed;
    if (!isOwn(opened)) return undefined;
    const { token, ...sealed } = opened;
    const known = this.#registry.find(sealed.id) ?? this.#adopt(sealed, token);
    return known === undefined ? undefined : { ...known, bearer: token };
  }

  /** Adopts a session without a new check: the cluster refuses a revoked token on its next use. */
  #adopt(sealed: Omit<Sealed, 'token'>, token: string): KnownSession | undefined {
    if (this.#options.keys === undefined) return undefined;
    if (this.#registry.isRefused(sealed.id) || sealed.expiresAtMs <= this.#clock.now()) return undefined;
    const known = { ...sealed, person: this.#personWith(sealed.user, token) };
    this.#registry.add(known);
    return known;
  }

  async #ofProxy(token: string, request: Request): Promise<Session | undefined> {
    const given = givenPageToken(request);
    const id = this.#seal.nameOf('session', token);
    const known = this.#registry.find(id);
    if (known !== undefined) return { ...known, pageToken: this.#pageTokenOf(token, given), bearer: token };
    if (this.#registry.isRefused(id) || !resemblesToken(token)) return undefined;
    const session = await this.#questionOf(id, token, request).join(request.signal);
    return session === undefined ? undefined : { ...session, pageToken: this.#pageTokenOf(token, given) };
  }

  /** One question to the cluster serves all requests that wait for the same session. */
  #questionOf(id: string, token: string, request: Request): SharedQuestion<Session | undefined> {
    const running = this.#beginning.get(id);
    if (running !== undefined) return running;
    const question = new SharedQuestion(
      (signal) => this.#beginOfProxy(id, token, { ...askerOf(request), signal }),
      () => {
        if (this.#beginning.get(id) === question) this.#beginning.delete(id);
      },
    );
    this.#beginning.set(id, question);
    return question;
  }

  /**
   * Returns the given page token if any of the keys made it: a page may come from a replica that seals with another
   * key.
   */
  #pageTokenOf(token: string, given: string): string {
    const names = this.#seal.namesOf('page', token);
    return names.find((name) => isSameSecret(given, name)) ?? names[0] ?? '';
  }

  async #beginOfProxy(id: string, token: string, asker: Asker): Promise<Session | undefined> {
    try {
      const recognized = await this.#options.check(token, asker);
      return this.#begin({ id, pageToken: this.#pageTokenOf(token, '') }, token, recognized);
    } catch (error) {
      if (!isWrongToken(error)) throw error;
      this.#registry.refuse(id, this.#clock.now() + REFUSED_MS);
      return undefined;
    }
  }

  async #check(session: Session): Promise<boolean> {
    const { id, bearer, server } = session;
    try {
      await this.#options.check(bearer ?? '', { person: personOf(session), address: '' }, server);
    } catch (error) {
      // A cluster that does not answer has not revoked anything.
      if (!isWrongToken(error)) return true;
      this.#registry.end(id, 'revoked');
      return false;
    }
    return this.#registry.find(id) !== undefined;
  }
}

/** Returns an asker of whom only the address and the connection are known. */
function askerOf(request: Request): Asker {
  return { address: addressOf(request), connection: connectionOf(request) };
}

function isWrongToken(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'wrong-token';
}

function noToken(): CodedError {
  return serverFailure('wrong-token', { problem: 'form' });
}

/** Whether a text has the form of a bearer token (RFC 6750, section 2.1). */
function resemblesToken(text: string): boolean {
  return text.length <= MAX_LENGTH && /^[\w.~+/-]+=*$/.test(text);
}

/** Returns the bearer token of a request; undefined if it carries none, or credentials of another kind. */
function bearerOf(request: Request): string | undefined {
  return /^bearer +(\S.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1]?.trim();
}

/**
 * Returns the expiry of a JSON web token (RFC 7519, section 4.1.4), ms since the epoch; undefined if it has none or the
 * text is not one. The value is unverified: it may shorten a session, never lengthen one.
 */
function expiryOf(token: string): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { exp?: unknown };
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1_000 : undefined;
  } catch {
    // Other tokens contain dots too.
    return undefined;
  }
}

/** A question that several requests wait for. Its signal aborts when all of them have disconnected. */
export class SharedQuestion<T> {
  readonly #gone = new AbortController();
  readonly #answer: Promise<T>;
  readonly #onOver: () => void;
  #waiting = 0;

  /** `onOver`: the question is answered, or has failed, or nobody waits for it; later requests ask a new one. */
  constructor(ask: (gone: AbortSignal) => Promise<T>, onOver: () => void) {
    this.#onOver = onOver;
    this.#answer = ask(this.#gone.signal).finally(onOver);
  }

  /** Returns the answer, for a request that disconnects when `signal` is aborted. Rejects as the question does. */
  async join(signal: AbortSignal): Promise<T> {
    this.#waiting++;
    const leave = () => {
      if (--this.#waiting > 0) return;
      this.#onOver();
      this.#gone.abort(signal.reason);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    try {
      return await this.#answer;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
