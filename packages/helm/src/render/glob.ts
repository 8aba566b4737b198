/**
 * A term of a pattern of `.Files.Glob`, with `/` as the separator: `*` and `?` stay within a name, `**` does not;
 * `[a-z]`, `[!a]`, `{a,b}`, and `\` to escape (https://pkg.go.dev/github.com/gobwas/glob#Compile).
 */
type Term =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'star'; readonly crossesFolders: boolean }
  | { readonly kind: 'set'; readonly isNegated: boolean; readonly has: (character: string) => boolean }
  | { readonly kind: 'choice'; readonly choices: readonly (readonly Term[])[] };

/** Compiles a pattern to a test for names; an invalid pattern matches every name, as in Helm. */
export function globMatcher(pattern: string): (name: string) => boolean {
  const parser = { pattern, at: 0 };
  const terms = parseTerms(parser, false);
  if (terms === undefined || parser.at < pattern.length) return () => true;
  return (name) => matches(terms, name);
}

interface Parser {
  readonly pattern: string;
  at: number;
}

/** Parses to the end, or, in braces, to the `,` or `}` that ends the choice. */
function parseTerms(parser: Parser, inBraces: boolean): Term[] | undefined {
  const { pattern } = parser;
  const terms: Term[] = [];
  while (parser.at < pattern.length) {
    const character = pattern[parser.at]!;
    if (inBraces && (character === ',' || character === '}')) break;
    const term = parseTerm(parser);
    if (term === undefined) return undefined;
    terms.push(term);
  }
  return terms;
}

function parseTerm(parser: Parser): Term | undefined {
  const { pattern } = parser;
  const character = pattern[parser.at++]!;
  switch (character) {
    case '*': {
      const crossesFolders = pattern[parser.at] === '*';
      while (pattern[parser.at] === '*') parser.at++;
      return { kind: 'star', crossesFolders };
    }
    case '?':
      return { kind: 'any' };
    case '[':
      return parseSet(parser);
    case '{':
      return parseChoice(parser);
    case '\\':
      return parser.at < pattern.length ? { kind: 'text', text: pattern[parser.at++]! } : undefined;
    default:
      return { kind: 'text', text: character };
  }
}

function parseChoice(parser: Parser): Term | undefined {
  const choices: Term[][] = [];
  for (;;) {
    const terms = parseTerms(parser, true);
    if (terms === undefined || parser.at >= parser.pattern.length) return undefined;
    choices.push(terms);
    if (parser.pattern[parser.at++] === '}') return { kind: 'choice', choices };
  }
}

function parseSet(parser: Parser): Term | undefined {
  const end = parser.pattern.indexOf(']', parser.at);
  if (end < 0) return undefined;
  const isNegated = parser.pattern[parser.at] === '!';
  const inside = parser.pattern.slice(parser.at + (isNegated ? 1 : 0), end);
  parser.at = end + 1;
  const range = /^(.)-(.)$/su.exec(inside);
  if (range !== null) {
    const [, low, high] = range;
    if (high! < low!) return undefined;
    return { kind: 'set', isNegated, has: (character) => character >= low! && character <= high! };
  }
  if (inside === '' || inside.includes('-')) return undefined;
  return { kind: 'set', isNegated, has: (character) => inside.includes(character) };
}

/** Follows all alternatives at once, so that no pattern is slow. */
function matches(terms: readonly Term[], name: string): boolean {
  return endsOf(terms, name, new Set([0])).has(name.length);
}

function endsOf(terms: readonly Term[], name: string, starts: ReadonlySet<number>): ReadonlySet<number> {
  let reached: ReadonlySet<number> = starts;
  for (const term of terms) {
    if (reached.size === 0) break;
    reached = after(term, name, reached);
  }
  return reached;
}

function after(term: Term, name: string, positions: ReadonlySet<number>): ReadonlySet<number> {
  const next = new Set<number>();
  for (const at of positions) {
    if (term.kind === 'star') addRun(next, name, at, term.crossesFolders);
    else if (term.kind === 'choice') addChoices(next, name, at, term.choices);
    else if (takes(term, name[at])) next.add(at + 1);
  }
  return next;
}

/** Whether a term for one character matches; undefined stands for the end of the name. */
function takes(
  term: Exclude<Term, { readonly kind: 'star' | 'choice' }>,
  character: string | undefined,
): boolean {
  switch (term.kind) {
    case 'text':
      return character === term.text;
    case 'any':
      return character !== undefined && character !== '/';
    case 'set':
      return character !== undefined && term.has(character) !== term.isNegated;
  }
}

/**
 * Adds every position that a star can reach from `at`; stops at one that another star reached, because that star added
 * the rest.
 */
function addRun(next: Set<number>, name: string, at: number, crossesFolders: boolean): void {
  for (let end = at; end <= name.length && !next.has(end); end++) {
    next.add(end);
    if (!crossesFolders && name[end] === '/') return;
  }
}

function addChoices(
  next: Set<number>,
  name: string,
  at: number,
  choices: readonly (readonly Term[])[],
): void {
  for (const choice of choices) {
    for (const end of endsOf(choice, name, new Set([at]))) next.add(end);
  }
}
