import { createHash } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import type { ClientCertificate } from '../credentials/credential.ts';
import type { Route } from './route.ts';
import { secureContext } from './tls-options.ts';

/** Keeps a few bytes by name between runs of the program. None of its functions throws. */
export interface SessionStore {
  readonly read: (name: string) => Uint8Array | undefined;
  readonly write: (name: string, bytes: Uint8Array) => void;
}

/** A TLS session and the context that it goes on in. */
export interface KeptSession {
  readonly context: SecureContext;
  readonly session: Buffer;
}

/** What a socket to one server needs for TLS. */
export interface TlsWay {
  /** A session to go on with, where there is one. */
  readonly kept: () => KeptSession | undefined;
  /** The server did not go on with `used`. */
  readonly forget: (used: KeptSession) => void;
  /** The context that checks the server's certificate. */
  readonly checking: () => SecureContext;
  /** A session of a connection whose server was found good, in the context that it was made with. */
  readonly keep: (context: SecureContext, session: Buffer, nowMs: number) => void;
}

/** One context, and each connection for itself. */
export function oneContext(context: SecureContext): TlsWay {
  return { kept: () => undefined, forget: () => {}, checking: () => context, keep: () => {} };
}

/** So long after the server's certificate was checked in full, it is checked in full again. */
const TRUSTED_MS = 24 * 3_600_000;
/** An authority that vouches for nobody: only a session that goes on can be opened with it. */
const NOBODY: readonly Buffer[] = [];
const HEAD_BYTES = 8;

/**
 * The TLS contexts for one server and one client certificate, and the sessions that go on (RFC 8446 section 2.2):
 * connections behind the first one spare both sides the signatures, most of what a hundred at once cost.
 *
 * With a `store`, which no connection with a client certificate may have (RFC 8446 section 4.6.1: a session goes on with the
 * client's identity too), a session outlives the process. It holds the outcome of the check that it began with, so the cluster's
 * authority is not needed to go on with it, and Node needs 25 ms to take one in (it reads all that it comes with first). A
 * server that does not know the session shows its certificate instead; the context trusts nobody, so that fails, and a
 * connection with the full check is made.
 */
export class TlsContexts implements TlsWay {
  readonly #route: Route;
  readonly #certificate: ClientCertificate | undefined;
  readonly #owner: string;
  readonly #store: SessionStore | undefined;
  readonly #name: string;
  #checking: SecureContext | undefined;
  #kept: KeptSession | undefined;
  #isStored = false;

  /** Throws LogtoolError `bad-certificate-data`. */
  constructor(
    route: Route,
    certificate: ClientCertificate | undefined,
    owner: string,
    options: { readonly store: SessionStore | undefined; readonly nowMs: number },
  ) {
    this.#route = route;
    this.#certificate = certificate;
    this.#owner = owner;
    this.#store = route.trust.ca === undefined || route.trust.insecure ? undefined : options.store;
    this.#name = this.#store === undefined ? '' : nameOf(route);
    const stored = this.#store?.read(this.#name);
    const session = stored === undefined ? undefined : decode(stored, options.nowMs);
    if (session === undefined) this.checking();
    else {
      this.#isStored = true;
      this.#kept = { context: secureContext(NOBODY, certificate, owner), session };
    }
  }

  kept(): KeptSession | undefined {
    return this.#kept;
  }

  /** What another connection was given since stays. */
  forget(used: KeptSession): void {
    if (this.#kept?.session !== used.session) return;
    this.#kept = undefined;
    this.#isStored = false;
  }

  checking(): SecureContext {
    const { ca, publicCa } = this.#route.trust;
    this.#checking ??= secureContext(ca ?? publicCa, this.#certificate, this.#owner);
    return this.#checking;
  }

  keep(context: SecureContext, session: Buffer, nowMs: number): void {
    this.#kept = { context, session };
    if (this.#isStored || this.#store === undefined || context !== this.#checking) return;
    this.#isStored = true;
    this.#store.write(this.#name, encode(session, nowMs));
  }
}

/** Stands for everything that the check of a server depends on. */
function nameOf({ host, port, trust, proxy }: Route): string {
  const hash = createHash('sha256');
  const parts = [process.version, host, `${port}`, trust.serverName, proxy?.shown ?? '', trust.ca ?? ''];
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}

function encode(session: Buffer, nowMs: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeDoubleBE(nowMs);
  return Buffer.concat([head, session]);
}

/** A session from the future is none: the clock was set back, and its age is not known. */
function decode(stored: Uint8Array, nowMs: number): Buffer | undefined {
  if (stored.length <= HEAD_BYTES) return undefined;
  const bytes = Buffer.from(stored);
  const age = nowMs - bytes.readDoubleBE(0);
  return age >= 0 && age < TRUSTED_MS ? bytes.subarray(HEAD_BYTES) : undefined;
}
