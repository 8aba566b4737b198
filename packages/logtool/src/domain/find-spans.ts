/** A range of a text, in UTF-16 units: from `start` up to, but excluding, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The interface of a regular expression matcher on one text. */
export interface Finder {
  find(): boolean;
  start(): number;
  end(): number;
}

/**
 * Characters that all searches in one text may read together. A single search is linear, but may read to the end of the
 * text and find little (`a(.*b)?`): without a limit, all searches together would take quadratic time on a long line. A
 * line of a thousand characters never reaches the limit.
 */
const LIMIT_CHARACTERS = 1 << 20;

/**
 * Returns the nonempty matches in a text of that length, from left to right; only the first ones in a very long text.
 * `limit`: a lower limit for the characters that all searches together may read.
 */
export function findSpans(finder: Finder, length: number, limit = LIMIT_CHARACTERS): readonly Span[] {
  const spans: Span[] = [];
  for (let left = Math.min(limit, LIMIT_CHARACTERS); left > 0 && finder.find(); ) {
    const [start, end] = [finder.start(), finder.end()];
    if (end > start) spans.push({ start, end });
    left -= length - start;
  }
  return spans;
}
