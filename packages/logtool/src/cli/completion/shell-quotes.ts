/** Variables that a word may refer to: `$HOME`. */
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns a word of a command line as the shell would pass it, without its quotes. Runs and lists nothing:
 * the only expansions are plain variables (`$HOME`, `${HOME}`). An open quote ends with the word.
 */
export function unquoted(argument: string, variables: Variables = {}): string {
  return argument.replaceAll(PIECES, (piece, single?: string, double?: string, escaped?: string) => {
    if (single !== undefined) return single;
    if (double !== undefined) return inDoubleQuotes(double, variables);
    return escaped ?? variableValue(piece, variables);
  });
}

/** Text in single quotes, text in double quotes, a character after a backslash, a variable. */
const PIECES = /'([^']*)'?|"((?:\\.|[^"\\])*)"?|\\(.)|\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*)/gs;
/** Between double quotes, a backslash is literal before any other character. */
const PIECES_IN_DOUBLE_QUOTES = /\\([\\"$`])|\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*)/g;

function inDoubleQuotes(text: string, variables: Variables): string {
  return text.replaceAll(
    PIECES_IN_DOUBLE_QUOTES,
    (piece, escaped?: string) => escaped ?? variableValue(piece, variables),
  );
}

/** Returns the value of `$NAME` or `${NAME}`; an unknown one stays unchanged. */
function variableValue(variable: string, variables: Variables): string {
  const name = variable.replaceAll(/[${}]/g, '');
  return (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? variable;
}

/** Expands a word from which fish has removed only the quotes: `$HOME`, `{$HOME}`. */
export function expanded(argument: string, variables: Variables): string {
  return argument.replace(
    /\{\$([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)/g,
    (whole, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? '';
      return (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? whole;
    },
  );
}

/** Returns the quote that a word leaves open, or ''. */
export function openQuote(argument: string): '' | '"' | "'" {
  let quote: '' | '"' | "'" = '';
  for (let at = 0; at < argument.length; at++) {
    const character = argument[at];
    if (character === '\\' && quote !== "'") at++;
    else if ((character === '"' || character === "'") && quote === '') quote = character;
    else if (character === quote) quote = '';
  }
  return quote;
}

/** Letters, digits and the characters that mean nothing to bash in any position. */
const PLAIN = /^[\p{L}\p{N}_./:=@%+,-]$/u;

/** Quotes a text for a bash command line, after the given open quote; undefined if that is impossible. */
export function quotedForBash(text: string, quote: '' | '"' | "'"): string | undefined {
  // An exclamation mark between double quotes recalls an older command, even after a backslash.
  if (quote === '"') return text.includes('!') ? undefined : text.replaceAll(/[\\"$`]/g, '\\$&');
  if (quote === "'") return text.includes("'") ? undefined : text;
  quote satisfies '';
  return [...text].map((character) => (PLAIN.test(character) ? character : `\\${character}`)).join('');
}

/** A word with a variable before the part that is being completed: `$NAMESPACE:dep`. */
export interface Headed {
  /** `$NAMESPACE:`, as typed, including quotes. */
  readonly typed: string;
  /** `shop:` */
  readonly text: string;
}

/**
 * Returns the head of a word up to its last separator, if it contains a known variable; `read` removes its
 * quotes.
 */
export function headOf(
  argument: string,
  read: (segment: string, expand: boolean) => string,
): Headed | undefined {
  const typed = /^.*[:/=,](?=[\w.-]*$)/s.exec(argument)?.[0];
  if (typed === undefined || !typed.includes('$')) return undefined;
  const text = read(typed, true);
  return text === read(typed, false) ? undefined : { typed, text };
}
