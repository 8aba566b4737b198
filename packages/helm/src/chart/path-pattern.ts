/** An invalid pattern of file names; worded as in Go. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Matches one character. */
type Matcher = (character: string) => boolean;

/**
 * Compiles a pattern of Go's filepath.Match to a test: `*` and `?` stop at slashes, `[a-z]` and `[^a-z]` match one
 * character, a backslash makes the next character literal. https://pkg.go.dev/path/filepath#Match
 * @throws PatternError
 */
export function pathPattern(pattern: string): (path: string) => boolean {
  const terms = new PatternReader(pattern).readTerms();
  return (path) => matchTerms(terms, [...path]);
}

/** Backtracks only to the last star, so the time is at most the product of both lengths. */
function matchTerms(terms: readonly (Matcher | '*')[], characters: readonly string[]): boolean {
  let term = 0;
  let index = 0;
  let star = -1;
  let starIndex = 0;
  while (index < characters.length) {
    const matcher = terms[term];
    if (matcher === '*') {
      star = term++;
      starIndex = index;
    } else if (matcher?.(characters[index] as string)) {
      term++;
      index++;
    } else if (star !== -1 && characters[starIndex] !== '/') {
      term = star + 1;
      index = ++starIndex;
    } else {
      return false;
    }
  }
  return terms.slice(term).every((rest) => rest === '*');
}

class PatternReader {
  readonly #characters: readonly string[];
  #index = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  readTerms(): (Matcher | '*')[] {
    const terms: (Matcher | '*')[] = [];
    while (this.#index < this.#characters.length) terms.push(this.#term());
    return terms;
  }

  #term(): Matcher | '*' {
    if (this.#skip('*')) return '*';
    if (this.#skip('?')) return (character) => character !== '/';
    if (this.#skip('[')) return this.#class();
    const wanted = this.#character();
    return (character) => character === wanted;
  }

  #class(): Matcher {
    const isNegated = this.#skip('^');
    const ranges: (readonly [number, number])[] = [];
    do {
      const from = this.#bound();
      ranges.push([from, this.#skip('-') ? this.#bound() : from]);
    } while (!this.#skip(']'));
    return (character) => {
      const code = character.codePointAt(0) as number;
      return ranges.some(([from, to]) => from <= code && code <= to) !== isNegated;
    };
  }

  #bound(): number {
    const next = this.#characters[this.#index];
    if (next === '-' || next === ']') throw new PatternError('syntax error in pattern');
    const code = this.#character().codePointAt(0) as number;
    if (this.#index >= this.#characters.length) throw new PatternError('syntax error in pattern');
    return code;
  }

  #character(): string {
    this.#skip('\\');
    const character = this.#characters[this.#index++];
    if (character === undefined) throw new PatternError('syntax error in pattern');
    return character;
  }

  #skip(character: string): boolean {
    if (this.#characters[this.#index] !== character) return false;
    this.#index++;
    return true;
  }
}
