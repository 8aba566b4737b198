import { SGR_PATTERN } from '@logtool/kube/src/values/sanitize.ts';
import { findSpans, type Span } from '../../domain/find-spans.ts';
import { patternSize } from '../../domain/pattern-size.ts';
import { MAX_MAIN_SIZE, MAX_PIECE_WORK } from '../../stream/match/match-limits.ts';

export type Highlight = (line: string) => string;

const MARK = '\x1b[1;30;43m';
const RESET = '\x1b[0m';
/** Colour sequences that are put back behind a match; a line with more of them in force is hostile. */
const ACTIVE_LIMIT = 16;

/** Reported where matches are not marked. */
export const UNMARKED =
  'matches are not highlighted: the patterns are so large that marking would hold up the output';

/**
 * Marks what a pattern matches in lines whose only control sequences are SGR; those keep their effect. Undefined where
 * the pattern is too large to mark its matches while others wait (MAX_MAIN_SIZE). Of a very long line only the
 * beginning is marked.
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

/** `ranges` are places in the text without its SGR sequences, in order and apart. */
function mark(line: string, ranges: readonly Span[]): string {
  let active: string[] = [];
  let result = '';
  let place = 0;
  let next = 0;
  let inside = false;
  const text = (part: string) => {
    let done = 0;
    while (done < part.length) {
      const range = ranges[next];
      const edge = range === undefined ? Number.POSITIVE_INFINITY : inside ? range.end : range.start;
      const end = Math.min(part.length, done + edge - place);
      result += part.slice(done, end);
      place += end - done;
      done = end;
      if (place !== edge) continue;
      result += inside ? RESET + active.join('') : RESET + MARK;
      if (inside) next++;
      inside = !inside;
    }
  };
  let from = 0;
  for (const sequence of line.matchAll(SGR_PATTERN)) {
    text(line.slice(from, sequence.index));
    from = sequence.index + sequence[0].length;
    if (/^\x1b\[0*m$/.test(sequence[0])) active = [];
    else active = [...active, sequence[0]].slice(-ACTIVE_LIMIT);
    // Inside a match the mark stays; the sequence takes effect behind it.
    if (!inside) result += sequence[0];
  }
  text(line.slice(from));
  return inside ? result + RESET : result;
}
