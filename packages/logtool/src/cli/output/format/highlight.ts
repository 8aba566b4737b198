import { SGR_PATTERN } from '@logtool/kube/src/values/sanitize.ts';
import { findSpans, type Span } from '../../../domain/find-spans.ts';
import { patternSize } from '../../../domain/patterns/pattern-size.ts';
import { MAX_MAIN_SIZE, MAX_PIECE_WORK } from '../../../stream/match/match-limits.ts';

export type Highlight = (line: string) => string;

const MARK = '\x1b[1;30;43m';
const RESET = '\x1b[0m';
/** Color sequences to restore after a match; a line with more active ones is hostile. */
const ACTIVE_LIMIT = 16;

/** Reported if matches are not highlighted. */
export const UNMARKED =
  'logtool does not highlight matches: the patterns are so large that highlighting would delay the output';

/**
 * Highlights the matches of a pattern in lines whose only control sequences are SGR; those keep their effect.
 * Undefined if the pattern is so large that highlighting would delay other work (MAX_MAIN_SIZE). In a very
 * long line, highlights only the beginning.
 */
export async function createHighlight(pattern: string, ignoreCase: boolean): Promise<Highlight | undefined> {
  const size = patternSize(pattern, ignoreCase);
  if (size > MAX_MAIN_SIZE) return undefined;
  const limit = Math.floor(MAX_PIECE_WORK / size);
  const { RE2JS } = await import('re2js');
  const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return (line) => {
    const plain = line.replace(SGR_PATTERN, '');
    const seen = plain.length > limit ? plain.slice(0, limit) : plain;
    const ranges = findSpans(compiled.matcher(seen), seen.length, limit);
    return ranges.length === 0 ? line : mark(line, ranges);
  };
}

/** `ranges` are positions in the text without its SGR sequences, in order and disjoint. */
function mark(line: string, ranges: readonly Span[]): string {
  const marker = new Marker(ranges);
  let from = 0;
  for (const sequence of line.matchAll(SGR_PATTERN)) {
    marker.text(line.slice(from, sequence.index));
    marker.sequence(sequence[0]);
    from = sequence.index + sequence[0].length;
  }
  marker.text(line.slice(from));
  return marker.end();
}

class Marker {
  /** Starts and ends of matches, alternating. */
  readonly #edges: readonly number[];
  #nextEdge = 0;
  /** Characters of the text so far, without SGR sequences. */
  #position = 0;
  /** Active sequences. */
  #active: readonly string[] = [];
  #result = '';

  constructor(ranges: readonly Span[]) {
    this.#edges = ranges.flatMap(({ start, end }) => [start, end]);
  }

  get #isInside(): boolean {
    return this.#nextEdge % 2 === 1;
  }

  text(text: string): void {
    for (let done = 0; done < text.length; ) {
      const edge = this.#edges[this.#nextEdge] ?? Number.POSITIVE_INFINITY;
      const end = Math.min(text.length, done + edge - this.#position);
      this.#result += text.slice(done, end);
      this.#position += end - done;
      done = end;
      if (this.#position === edge) this.#cross();
    }
  }

  #cross(): void {
    this.#result += this.#isInside ? RESET + this.#active.join('') : RESET + MARK;
    this.#nextEdge++;
  }

  /** Inside a match the highlight stays; the sequence takes effect after it. */
  sequence(sequence: string): void {
    const isReset = /^\x1b\[0*m$/.test(sequence);
    this.#active = isReset ? [] : [...this.#active, sequence].slice(-ACTIVE_LIMIT);
    if (!this.#isInside) this.#result += sequence;
  }

  end(): string {
    return this.#isInside ? this.#result + RESET : this.#result;
  }
}
