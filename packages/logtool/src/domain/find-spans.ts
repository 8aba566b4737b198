/** A place in a text, in UTF-16 units: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What the matcher of a regular expression offers on one text. */
export interface Finder {
  find(): boolean;
  start(): number;
  end(): number;
}

/**
 * Characters that all looks into one text may read together. A single look is linear, but may read to the end of the
 * text and find little (`a(.*b)?`): without a limit all of them together would cost the square of a long line. A line
 * of a thousand characters never comes upon it.
 */
const LIMIT_CHARACTERS = 1 << 20;

/**
 * The places in a text of that length that are not empty, from left to right; of a very long one only the first.
 * `limit`: fewer characters that all searches together may read.
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
