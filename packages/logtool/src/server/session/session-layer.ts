import type { ClosingReason, Session } from '../services.ts';

/** A session that was just begun, and the Set-Cookie headers that carry it. */
export interface Admission {
  readonly session: Session;
  readonly cookies: readonly string[];
}

/** Called for each session that ends early, or whose time is over. */
export type OnSessionEnd = (session: { readonly id: string }, reason: ClosingReason) => void;

/** How requests come to sessions: one implementation for each `--auth`. */
export interface SessionLayer {
  /**
   * The session of a request; undefined without one. Never throws for the content of a request; CodedError
   * if a cluster must be asked for the user and does not answer.
   */
  find(request: Request): Promise<Session | undefined>;
  /**
   * Begins a session with the secret that was typed (or stood in the URL). Throws CodedError `wrong-token`, and
   * `no-sign-in` if there is none.
   */
  signIn(secret: string, request: Request): Promise<Admission>;
  /** Ends the session; gives the Set-Cookie headers that take it from the browser. */
  signOut(session: Session, request: Request): Promise<readonly string[]>;
  /**
   * A cluster has refused the session's own token, or it is time to look: asks the cluster whether it still knows the
   * token. Ends the session (`revoked`) and resolves false when it does not. Never rejects.
   */
  stillGood(session: Session): Promise<boolean>;
  /** Ends all timers. */
  close(): void;
}
