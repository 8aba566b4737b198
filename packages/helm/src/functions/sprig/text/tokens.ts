import { isUpper, runesOf, runeToLower, runeToUpper } from './case.ts';
import { isSpace } from './letters.ts';

type Kind = 'connector' | 'punctuation' | 'capitals' | 'letters' | 'digits' | 'other' | 'invalid';

interface Token {
  readonly kind: Kind;
  readonly text: string;
}

/** A character with the invalid UTF-8 bytes before it; `rune` is empty if only such bytes remain. */
interface Character {
  readonly text: string;
  readonly rune: string;
}

function isConnector(rune: string): boolean {
  return rune === '-' || rune === '_' || isSpace(rune);
}

/** Whether a rune is a letter of an alphabet, not an ideograph of Chinese, Japanese or Korean. */
function isAlphabetic(rune: string): boolean {
  return /^\p{L}$/u.test(rune) && !/^[\u4e00-\u9fcc\u3400-\u4d85\u{20000}-\u{2b81d}]$/u.test(rune);
}

const isLetter = (rune: string) => isAlphabetic(rune) && !isUpper(rune);
const isPunctuation = (rune: string) => /^\p{P}$/u.test(rune);
const isDigit = (rune: string) => /^\p{N}$/u.test(rune);

function kindOf(rune: string): Kind {
  if (rune === '') return 'invalid';
  if (isConnector(rune)) return 'connector';
  if (isPunctuation(rune)) return 'punctuation';
  if (isUpper(rune)) return 'capitals';
  if (isAlphabetic(rune)) return 'letters';
  return isDigit(rune) ? 'digits' : 'other';
}

/** The characters that continue a word of a kind. */
const GOES_ON: Readonly<Record<Kind, (rune: string) => boolean>> = {
  connector: isConnector,
  punctuation: isPunctuation,
  capitals: isUpper,
  letters: isLetter,
  digits: isDigit,
  other: (rune) => !isConnector(rune) && !isAlphabetic(rune) && !isDigit(rune) && !isPunctuation(rune),
  invalid: () => true,
};

function charactersOf(text: string): Character[] {
  const characters: Character[] = [];
  for (const [run] of text.matchAll(
    /[\ufffd\ud800-\udfff]*[^\ufffd\ud800-\udfff]|[\ufffd\ud800-\udfff]+$/gu,
  )) {
    const rune = [...run].at(-1)!;
    characters.push({ text: run, rune: /[\ufffd\ud800-\udfff]/u.test(rune) ? '' : rune });
  }
  return characters;
}

/** Returns the end of a word that starts at `from`. */
function endOf(characters: readonly Character[], from: number, kind: Kind): number {
  // Invalid bytes at the end belong to the word before them.
  const goesOn = (at: number, test: (rune: string) => boolean) =>
    at < characters.length && (characters[at]!.rune === '' || test(characters[at]!.rune));
  const run = (at: number, test: (rune: string) => boolean) => {
    let end = at;
    while (goesOn(end, test)) end++;
    return end;
  };
  if (kind !== 'capitals') return run(from + 1, GOES_ON[kind]);
  if (!goesOn(from + 1, isUpper)) return run(from + 1, isLetter);
  const end = run(from + 1, isUpper);
  // The last capital belongs to the word that it starts: HTTP and Status.
  return end < characters.length && isAlphabetic(characters[end]!.rune) ? end - 1 : end;
}

function tokensOf(text: string): Token[] {
  const characters = charactersOf(text);
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; ) {
    const kind = kindOf(characters[at]!.rune);
    const end = endOf(characters, at, kind);
    tokens.push({
      kind,
      text: characters
        .slice(at, end)
        .map((one) => one.text)
        .join(''),
    });
    at = end;
  }
  return tokens;
}

function small({ kind, text }: Token, connector: string): string {
  if (kind !== 'capitals' && kind !== 'connector') return text;
  return runesOf(text)
    .map((rune) => (isConnector(rune) ? connector : isUpper(rune) ? runeToLower(rune) : rune))
    .join('');
}

/**
 * Joins words: `HTTPServer2xx` becomes `http_server_2xx` for `snakecase`, and with a hyphen for `kebabcase`. Numbers
 * belong to the word before them unless lowercase letters follow. Follows the rules of
 * https://github.com/huandu/xstrings ToSnakeCase.
 */
export function joinedTokens(text: string, connector: string): string {
  const tokens = tokensOf(text);
  const kindAt = (at: number): Kind | undefined => tokens[at]?.kind;
  const isOneOf = (at: number, ...kinds: readonly Kind[]) => kinds.includes(kindAt(at) ?? 'invalid');
  let joined = '';
  let at = 0;
  const write = () => {
    joined += small(tokens[at]!, connector);
    at++;
  };
  const writeNumbered = () => {
    while (isOneOf(at, 'letters', 'digits')) write();
    if (!isOneOf(at, 'invalid', 'punctuation', 'connector')) joined += connector;
  };
  const connect = () => {
    if (!isOneOf(at, 'connector', 'punctuation')) joined += connector;
  };
  while (at < tokens.length - 1) {
    const kind = kindAt(at);
    write();
    if (kind === 'digits') writeNumbered();
    else if (kind === 'connector' || kind === 'punctuation') continue;
    else if (kindAt(at) !== 'digits') connect();
    else if (at === tokens.length - 1) break;
    else if (kindAt(at + 1) !== 'letters') {
      write();
      connect();
    } else {
      joined += connector;
      write();
      writeNumbered();
    }
  }
  if (at < tokens.length) write();
  return joined;
}

/**
 * `camelcase`: `foo_bar` becomes `FooBar`, `HTTP_server` becomes `HttpServer`. Leading and trailing connectors stay; of
 * several in a row, one disappears. Follows the rules of https://github.com/huandu/xstrings ToPascalCase.
 */
export function pascalCase(text: string): string {
  const runes = runesOf(text);
  const lead = runes.findIndex((rune) => !isConnector(rune));
  if (lead === -1) return runes.join('') + (runes.at(-1) ?? '');
  let result = runes.slice(0, lead).join('');
  let held = '_';
  /** Whether the rune is in the capitals at the start of a word. */
  let inCapitals = false;
  for (const [at, rune] of runes.slice(lead).entries()) {
    const isStart: boolean = isConnector(held) && !isConnector(rune);
    if (at > 0 && !isStart) result += held;
    const isCapital: boolean = isUpper(rune) && (isStart || inCapitals);
    held = isStart ? runeToUpper(rune) : isCapital ? runeToLower(rune) : rune;
    inCapitals = isCapital;
  }
  return result + held;
}
