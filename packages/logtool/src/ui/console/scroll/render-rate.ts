/** Up to this many lines per second are readable as they pass: no banner is shown. */
const READABLE_PER_SECOND = 1_000;
/** For this many seconds in a row: opening a view takes in many lines at once without being a stream. */
const SECONDS_IN_A_ROW = 2;

/** Compares the rows that came into view with the lines that were received. */
export class RenderRate {
  readonly #nowMs: () => number;
  #countedAtMs: number;
  #shownThen = 0;
  #perSecond = 0;
  #secondsTooFast = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#countedAtMs = nowMs();
  }

  /**
   * `shown`: rows that have come into view since the beginning. Returns the rows shown per second if fewer than
   * received while following; else undefined.
   */
  update(shown: number, receivedPerSecond: number, isFollowing: boolean): number | undefined {
    const nowMs = this.#nowMs();
    const elapsedMs = nowMs - this.#countedAtMs;
    if (elapsedMs >= 1_000) {
      this.#perSecond = Math.round(((shown - this.#shownThen) * 1_000) / elapsedMs);
      this.#shownThen = shown;
      this.#countedAtMs = nowMs;
      const isTooFast = receivedPerSecond > READABLE_PER_SECOND && receivedPerSecond > this.#perSecond * 1.1;
      this.#secondsTooFast = isTooFast ? this.#secondsTooFast + 1 : 0;
    }
    // The last report of a stream that ended: no further report follows a second later.
    if (!isFollowing || receivedPerSecond <= READABLE_PER_SECOND) this.#secondsTooFast = 0;
    return this.#secondsTooFast >= SECONDS_IN_A_ROW
      ? Math.min(this.#perSecond, receivedPerSecond)
      : undefined;
  }
}
