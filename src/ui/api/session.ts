import type { ApiError } from '../../contract/client.ts';
import { requestJson } from './request.ts';

/** `ended`: the server does not know this browser any more; the person signs in again. */
export type SessionState = { readonly state: 'good' } | { readonly state: 'ended'; readonly error: ApiError };

/** The page token and whether it is still good. One for the page; the log worker is told of each new token. */
export class Session {
  #token: string;
  #state: SessionState = { state: 'good' };
  #renewal: Promise<boolean> | undefined;
  readonly #basePath: string;
  readonly #fetch: typeof fetch;
  readonly #listeners = new Set<() => void>();

  constructor(options: { readonly basePath: string; readonly token: string; readonly fetch?: typeof fetch }) {
    this.#basePath = options.basePath;
    this.#token = options.token;
    this.#fetch = options.fetch ?? ((...args) => fetch(...args));
  }

  get token(): string {
    return this.#token;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Told of each new token and each change of state. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A token that came with a sign-in. */
  accept(token: string): void {
    this.#token = token;
    this.#state = { state: 'good' };
    this.#tell();
  }

  end(error: ApiError): void {
    this.#state = { state: 'ended', error };
    this.#tell();
  }

  /**
   * Asks for a token in place of one that was refused. True: there is another one, try again. Requests that are refused
   * at the same time share one question.
   */
  async renew(used: string): Promise<boolean> {
    if (used !== this.#token) return true;
    this.#renewal ??= this.#ask().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #ask(): Promise<boolean> {
    const before = this.#token;
    const answer = await requestJson(this.#fetch, `${this.#basePath}/api/v1/token`, {});
    if (!answer.ok) {
      if (answer.error.status === 401) this.end(answer.error);
      return false;
    }
    const token = (answer.body as { token?: unknown } | null)?.token;
    if (typeof token !== 'string' || token === before) return false;
    this.accept(token);
    return true;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
