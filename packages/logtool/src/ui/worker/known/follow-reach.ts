/**
 * How long a lost connection to the cluster can look like one that is only silent, ms: the client asks a connection
 * after 30 s of silence, and waits 15 s for an answer (client-go's HTTP/2 health check).
 */
const DOUBT_MS = 45_000;

/**
 * Up to which time a follow has read its containers. While the page has no connection, nothing later than what it heard
 * last is known; of a container that is being reconnected, nothing later than the time at which its connection certainly
 * worked. Both last until the follow has caught up.
 */
export class FollowReach {
  /** When the page heard the following stream last; undefined: it has not followed yet. */
  #heardMs: number | undefined;
  #isBroken = true;
  readonly #lost = new Map<string, number>();

  /** Notes frames of a stream that has caught up; ms since the epoch. */
  heard(nowMs: number): void {
    this.#heardMs = nowMs;
    this.#isBroken = false;
  }

  /** Notes that the page has no connection: lines may be written unread from what was heard last on. */
  break(): void {
    this.#isBroken = true;
  }

  /** Notes at what time (ms since the epoch) the connection of a container (LogSource.id) was found broken. */
  lose(id: string, nowMs: number): void {
    if (!this.#lost.has(id)) this.#lost.set(id, nowMs - DOUBT_MS);
  }

  /** Notes that a container is read again. */
  regain(id: string): void {
    this.#lost.delete(id);
  }

  /** Notes that every container is read again, except these. */
  regainOthers(away: ReadonlySet<string>): void {
    for (const id of this.#lost.keys()) if (!away.has(id)) this.#lost.delete(id);
  }

  /** Whether some container may have written lines that the follow has not read. */
  get isShort(): boolean {
    return this.#isBroken || this.#lost.size > 0;
  }

  /**
   * Up to when a container was read, ms since the epoch, for a view that holds the newest lines. Infinity: up to now;
   * -Infinity: it was never followed. `newestMs`: the time of its newest line.
   */
  of(id: string, newestMs = Number.NEGATIVE_INFINITY): number {
    const heardMs = this.#heardMs ?? Number.NEGATIVE_INFINITY;
    const ofPage = this.#isBroken ? heardMs : Number.POSITIVE_INFINITY;
    const lostMs = this.#lost.get(id);
    const own = lostMs === undefined ? Number.POSITIVE_INFINITY : Math.max(lostMs, newestMs);
    return Math.min(ofPage, own);
  }
}
