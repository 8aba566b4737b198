/** So few sources each get suggestions; which of more of them do depends on the order of the answers. */
const MAX_SOURCES_SHOWN = 8;
/** Names are listed and compared for this many sources; nobody reads more suggestions than these. */
const MAX_SUGGESTIONS = 3;

/** Finding what a missing name meant costs a list of names: of many sources only the first few get it. */
export class Suggestions {
  #left: number;

  /** `sources`: of the resolution. */
  constructor(sources: number) {
    // One source may ask twice: for its namespace, and for its name.
    this.#left = sources <= MAX_SOURCES_SHOWN ? sources * 2 : MAX_SUGGESTIONS;
  }

  /** Whether one more source may look; each that asks counts. */
  take(): boolean {
    return this.#left > 0 && this.#left-- > 0;
  }
}
