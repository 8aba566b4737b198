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

/** A TLS session and the context that can resume it. */
export interface KeptSession {
  readonly context: SecureContext;
  readonly session: Buffer;
}

/** The TLS contexts and sessions for sockets to one server. */
export interface TlsWay {
  /** Returns a session to resume, if one exists. */
  readonly kept: () => KeptSession | undefined;
  /** Discards `used`, which the server did not resume. */
  readonly forget: (used: KeptSession) => void;
  /** Returns the context that checks the server's certificate. */
  readonly checking: () => SecureContext;
  /** Keeps a session from a connection to a trusted server, with its context. */
  readonly keep: (context: SecureContext, session: Buffer, nowMs: number) => void;
}

/** Uses one context and resumes no sessions. */
export function oneContext(context: SecureContext): TlsWay {
  return { kept: () => undefined, forget: () => {}, checking: () => context, keep: () => {} };
}

/** How long a full check of the server's certificate is valid for stored sessions. */
const TRUSTED_MS = 24 * 3_600_000;
/** An authority list that trusts no one: with it, a connection opens only by resuming a session. */
const NOBODY: readonly Buffer[] = [];
const HEAD_BYTES = 8;

/**
 * The TLS contexts for one server and one client certificate, and the sessions to resume (RFC 8446 section 2.2).
 * Resumption spares both sides the signatures, which are most of the cost of a hundred connections at once.
 * With a `store`, a session outlives the process. A connection with a client certificate must have none, because a
 * session also resumes the client's identity (RFC 8446 section 4.6.1). The session holds the outcome of its original
 * check, so resuming needs no cluster authority and saves the 25 ms that Node takes to read it. A server that does not
 * know the session presents its certificate instead; the context trusts no one, so that fails, and the caller connects
 * again with the full check.
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

  /** Throws CodedError `bad-certificate-data`. */
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

  /** Keeps a session that another connection has stored since then. */
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

/** Returns a hash of everything that the check of a server depends on. */
function nameOf({ host, port, trust, proxy }: Route): string {
  const hash = createHash('sha256');
  const fields = [process.version, host, `${port}`, trust.serverName, proxy?.shown ?? '', trust.ca ?? ''];
  for (const field of fields) hash.update(`${field.length}:`).update(field);
  return hash.digest('hex');
}

function encode(session: Buffer, nowMs: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeDoubleBE(nowMs);
  return Buffer.concat([head, session]);
}

/** Rejects a session from the future: the clock was set back, so its age is unknown. */
function decode(stored: Uint8Array, nowMs: number): Buffer | undefined {
  if (stored.length <= HEAD_BYTES) return undefined;
  const bytes = Buffer.from(stored);
  const age = nowMs - bytes.readDoubleBE(0);
  return age >= 0 && age < TRUSTED_MS ? bytes.subarray(HEAD_BYTES) : undefined;
}
