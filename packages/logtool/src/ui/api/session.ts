import type { ApiError } from '../../contract/client.ts';
import { askToken } from './ask-token.ts';
import type { StoredToken } from './stored-token.ts';

/** `ended`: the server no longer knows this browser; the user must sign in again. */
export type SessionState = { readonly state: 'good' } | { readonly state: 'ended'; readonly error: ApiError };

/**
 * The page token and whether it is still valid. The page has one session; the log worker gets each new token.
 */
export class Session {
  #token: string;
  #state: SessionState = { state: 'good' };
  #renewal: Promise<boolean> | undefined;
  readonly #basePath: string;
  readonly #fetch: typeof fetch;
  readonly #stored: StoredToken | undefined;
  readonly #listeners = new Set<() => void>();

  /**
   * `stored`: where a sign-in's token is kept. Undefined in the log worker, and if the server wrote the token
   * into the page.
   */
  constructor(options: {
    readonly basePath: string;
    readonly token: string;
    readonly stored?: StoredToken | undefined;
    readonly fetch?: typeof fetch;
  }) {
    this.#basePath = options.basePath;
    this.#stored = options.stored;
    this.#token = options.token || (options.stored?.read() ?? '');
    options.stored?.subscribe(() => this.#takeStored());
    this.#fetch = options.fetch ?? ((...args) => fetch(...args));
  }

  get token(): string {
    return this.#token;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Calls the listener on each new token and each change of state. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The user has signed in here: all tabs of this browser continue with this token. */
  signedIn(token: string): void {
    this.#stored?.write(token);
    this.accept(token);
  }

  /** The user has signed out here. */
  signedOut(error: ApiError): void {
    this.#stored?.clear();
    this.end(error);
  }

  /** Replaces the token. */
  accept(token: string): void {
    this.#token = token;
    this.#state = { state: 'good' };
    this.#notify();
  }

  /** The server no longer knows the token; another tab may have signed in since. */
  end(error: ApiError): void {
    if (this.#takeStored()) return;
    this.#state = { state: 'ended', error };
    this.#notify();
  }

  /**
   * Requests a token to replace one that was refused. True: there is a new one, so try again. Concurrent
   * callers share one request.
   */
  async renew(used: string): Promise<boolean> {
    if (used !== this.#token) return true;
    this.#renewal ??= this.#ask().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #ask(): Promise<boolean> {
    if (this.#takeStored()) return true;
    const before = this.#token;
    const answer = await askToken(this.#fetch, this.#basePath, before);
    if (!answer.ok) {
      if (answer.error.status === 401) this.end(answer.error);
      return false;
    }
    const token = (answer.body as { token?: unknown } | null)?.token;
    if (typeof token !== 'string' || token === before) return false;
    this.accept(token);
    return true;
  }

  #takeStored(): boolean {
    const token = this.#stored?.read();
    if (token === undefined || token === this.#token) return false;
    this.accept(token);
    return true;
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
