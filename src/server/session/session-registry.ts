import type { Clock } from '../../domain/clock.ts';
import type { ClosingReason, Session } from '../services.ts';
import type { OnSessionEnd } from './session-layer.ts';

/** Beyond this the oldest session of the same person ends: nobody can put out others, or fill the memory. */
export const MAX_SESSIONS_OF_ONE = 50;
/** Of all people together. */
export const MAX_SESSIONS = 10_000;
/** Ids that are known to be over. */
const REMEMBERED = 10_000;

/** A session without its token, which only the browser (or the proxy) keeps. */
export type KnownSession = Omit<Session, 'bearer' | 'expiresAtMs'> & { readonly expiresAtMs: number };

interface Entry {
  readonly session: KnownSession;
  readonly owner: string;
  readonly cancel: () => void;
}

/** The sessions that are going on, by id: whatever a request carries, it is good only as long as its session is here. */
export class SessionRegistry {
  readonly #clock: Clock;
  readonly #onEnd: OnSessionEnd;
  /** The oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** Until when an id that is over is refused without asking anybody. */
  readonly #over = new Map<string, number>();

  constructor(clock: Clock, onEnd: OnSessionEnd) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** `owner`: whose it is, as far as that is known. */
  add(session: KnownSession, owner: string): void {
    const { id, expiresAtMs } = session;
    const cancel = this.#clock.after(expiresAtMs - this.#clock.now(), () => this.end(id, 'expired'));
    this.#entries.set(id, { session, owner, cancel });
    const own = [...this.#entries.keys()].filter((other) => this.#entries.get(other)?.owner === owner);
    if (own.length > MAX_SESSIONS_OF_ONE) this.end(own[0] ?? id, 'expired');
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_SESSIONS) this.end(oldest ?? id, 'expired');
  }

  find(id: string): KnownSession | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    if (entry.session.expiresAtMs > this.#clock.now()) return entry.session;
    this.end(id, 'expired');
    return undefined;
  }

  /** Ends it; doing so twice is as doing it once. */
  end(id: string, reason: ClosingReason): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    entry.cancel();
    this.refuse(id, entry.session.expiresAtMs);
    this.#onEnd(entry.session, reason);
  }

  /** No session of this id is to begin before then. */
  refuse(id: string, untilMs: number): void {
    this.#over.delete(id);
    this.#over.set(id, untilMs);
    const [oldest] = this.#over.keys();
    if (this.#over.size > REMEMBERED && oldest !== undefined) this.#over.delete(oldest);
  }

  isRefused(id: string): boolean {
    const untilMs = this.#over.get(id);
    if (untilMs !== undefined && untilMs > this.#clock.now()) return true;
    this.#over.delete(id);
    return false;
  }

  close(): void {
    for (const { cancel } of this.#entries.values()) cancel();
    this.#entries.clear();
  }
}
