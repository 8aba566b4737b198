/** Names are listed and compared for so many sources of one resolution; nobody reads more suggestions than these. */
const MAX_SUGGESTIONS = 3;

/** What was meant by a name that is not there costs a list of names: only the first who ask may look for it. */
export class Suggestions {
  #left = MAX_SUGGESTIONS;

  /** Whether one more source may look; each that asks counts. */
  take(): boolean {
    return this.#left > 0 && this.#left-- > 0;
  }
}
