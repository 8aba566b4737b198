/** Up to this number of sources, each gets suggestions. With more, the order of the answers decides which do. */
const MAX_SOURCES_SHOWN = 8;
/** With more sources, names are listed and compared this many times. Nobody reads more suggestions. */
const MAX_SUGGESTIONS = 3;

/**
 * Limits suggestions: finding what a missing name meant costs a list of names, so with many sources only the first few
 * get one.
 */
export class Suggestions {
  #left: number;

  /** `sources`: the number of sources in the resolution. */
  constructor(sources: number) {
    // One source may ask twice: for its namespace, and for its name.
    this.#left = sources <= MAX_SOURCES_SHOWN ? sources * 2 : MAX_SUGGESTIONS;
  }

  /** Returns whether one more source may get suggestions. Every call counts. */
  take(): boolean {
    return this.#left > 0 && this.#left-- > 0;
  }
}
