/** Fewer lines a second than this can be read as they pass: nothing is said then. */
const READABLE_PER_SECOND = 1_000;
/** What was said stays so long at least, for a banner that comes and goes says nothing. */
const STAY_MS = 3_000;

/** Compares the rows that came into view with the lines that were received. */
export class RenderRate {
  readonly #nowMs: () => number;
  #countedAtMs: number;
  #shownThen = 0;
  #perSecond = 0;
  #behindAtMs = Number.NEGATIVE_INFINITY;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#countedAtMs = nowMs();
  }

  /**
   * `shown`: rows that came into view since the beginning. Gives the rows a second that are shown, where that is less
   * than what is received while following; else undefined.
   */
  update(shown: number, receivedPerSecond: number, isFollowing: boolean): number | undefined {
    const nowMs = this.#nowMs();
    const elapsedMs = nowMs - this.#countedAtMs;
    if (elapsedMs >= 1_000) {
      this.#perSecond = Math.round(((shown - this.#shownThen) * 1_000) / elapsedMs);
      this.#shownThen = shown;
      this.#countedAtMs = nowMs;
      if (receivedPerSecond > READABLE_PER_SECOND && receivedPerSecond > this.#perSecond * 1.1)
        this.#behindAtMs = nowMs;
    }
    if (!isFollowing) this.#behindAtMs = Number.NEGATIVE_INFINITY;
    return nowMs - this.#behindAtMs < STAY_MS ? Math.min(this.#perSecond, receivedPerSecond) : undefined;
  }
}
