import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { Groups } from '../connections/groups.ts';
import type { ClosingReason, Session } from '../services.ts';
import type { OnSessionEnd } from './session-layer.ts';

/**
 * Maximum sessions of one person: above it their oldest ends. A proxy that renews tokens begins one with each of them.
 */
export const MAX_SESSIONS_OF_ONE = 50;
/**
 * Maximum sessions of all people: above it, the person with the most loses the oldest, so that nobody can displace
 * others.
 */
export const MAX_SESSIONS = 10_000;
/** Maximum ids of ended sessions to remember. */
const REMEMBERED = 10_000;

/** A session without its token, which only the browser (or the proxy) keeps. */
export type KnownSession = Omit<Session, 'bearer' | 'expiresAtMs' | 'person'> & {
  readonly expiresAtMs: number;
  readonly person: string;
};

interface Entry {
  readonly session: KnownSession;
  readonly cancel: () => void;
}

/** The active sessions, by id: a request's credentials are valid only as long as its session is here. */
export class SessionRegistry {
  readonly #clock: Clock;
  readonly #onEnd: OnSessionEnd;
  readonly #entries = new Map<string, Entry>();
  /** Ids of each person's sessions, the oldest first. */
  #byPerson = new Groups<string>();
  /** How long an ended id is refused without asking the cluster. */
  readonly #over = new Map<string, number>();

  constructor(clock: Clock, onEnd: OnSessionEnd) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  get count(): number {
    return this.#entries.size;
  }

  add(session: KnownSession): void {
    const { id, expiresAtMs, person } = session;
    const cancel = this.#clock.after(expiresAtMs - this.#clock.now(), () => this.end(id, 'expired'));
    this.#entries.set(id, { session, cancel });
    if (this.#byPerson.add(person, id) > MAX_SESSIONS_OF_ONE) this.#endOldest(this.#byPerson.of(person));
    if (this.#entries.size > MAX_SESSIONS) this.#endOldest(this.#byPerson.largest());
  }

  #endOldest(own: ReadonlySet<string>): void {
    const [oldest] = own;
    if (oldest !== undefined) this.end(oldest, 'expired');
  }

  find(id: string): KnownSession | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    if (entry.session.expiresAtMs > this.#clock.now()) return entry.session;
    this.end(id, 'expired');
    return undefined;
  }

  /** Ends a session; a second call has no effect. */
  end(id: string, reason: ClosingReason): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const { person, expiresAtMs } = entry.session;
    this.#entries.delete(id);
    this.#byPerson.delete(person, id);
    entry.cancel();
    this.refuse(id, expiresAtMs);
    this.#onEnd(entry.session, reason);
  }

  /** Prevents sessions with this id until then. */
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
    this.#byPerson = new Groups();
  }
}
