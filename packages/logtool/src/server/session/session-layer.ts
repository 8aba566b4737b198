import type { ClosingReason, Session } from '../services.ts';

/** A new session, and the Set-Cookie headers that carry it. */
export interface Admission {
  readonly session: Session;
  readonly cookies: readonly string[];
}

/** Called for each session that ends early or expires. */
export type OnSessionEnd = (session: { readonly id: string }, reason: ClosingReason) => void;

/** Maps requests to sessions: one implementation for each `--auth`. */
export interface SessionLayer {
  /**
   * Returns the session of a request; undefined without one. Never throws for the content of a request; throws
   * CodedError if a cluster must identify the user and does not answer.
   */
  find(request: Request): Promise<Session | undefined>;
  /**
   * Begins a session with a typed secret (or one from the URL). Throws CodedError `wrong-token`, and `no-sign-in` if
   * signing in is not possible.
   */
  signIn(secret: string, request: Request): Promise<Admission>;
  /** Ends the session; returns the Set-Cookie headers that remove it from the browser. */
  signOut(session: Session, request: Request): Promise<readonly string[]>;
  /**
   * Asks the cluster whether it still knows the session's own token, after a refusal or at regular intervals. If not,
   * ends the session (`revoked`) and resolves false. Never rejects.
   */
  stillGood(session: Session): Promise<boolean>;
  /** Ends all timers. */
  close(): void;
}
