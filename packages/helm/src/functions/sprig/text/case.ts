/** Case conversions that work rune by rune like Go (unicode.ToUpper and so on): one character never becomes two. */

const REPLACEMENT = '\ufffd';

/** Lowercase letters whose uppercase is two characters in JavaScript but one in Unicode's simple mapping: ᾳ and ᾼ. */
const GREEK = new Map(
  Array.from({ length: 0x80 }, (_, at) => String.fromCharCode(0x1f80 + at)).flatMap((capital) => {
    const small = capital.toLowerCase();
    return small !== capital && isTwo(small.toUpperCase()) ? [[small, capital] as const] : [];
  }),
);
/** Digraphs have a third form for the start of a word. */
const TITLES = new Map(
  ['ǄǅǆǇǈǉǊǋǌ', 'ǱǲǳǱǲǳ'].flatMap((forms) =>
    Array.from(forms, (form, at) => [form, forms[at - (at % 3) + 1] ?? form] as const),
  ),
);

function isTwo(text: string): boolean {
  return [...text].length > 1;
}

export function runeToUpper(rune: string): string {
  const upper = rune.toUpperCase();
  return isTwo(upper) ? (GREEK.get(rune) ?? rune) : upper;
}

export function runeToLower(rune: string): string {
  const lower = rune.toLowerCase();
  return isTwo(lower) ? [...lower][0]! : lower;
}

export function runeToTitle(rune: string): string {
  // Georgian uses capitals only for whole texts.
  if (/[\u10d0-\u10fa\u10fd-\u10ff]/.test(rune)) return rune;
  return TITLES.get(rune) ?? runeToUpper(rune);
}

/** Returns the characters of a text, with U+FFFD for invalid UTF-8, like Go's range over runes. */
export function runesOf(text: string): string[] {
  return Array.from(text, (rune) => (/^[\ud800-\udfff]$/.test(rune) ? REPLACEMENT : rune));
}

export function isUpper(rune: string): boolean {
  return /^\p{Lu}$/u.test(rune);
}

/** Go's strings.ToUpper. */
export function upper(text: string): string {
  return runesOf(text).map(runeToUpper).join('');
}

/** Go's strings.ToLower. */
export function lower(text: string): string {
  return runesOf(text).map(runeToLower).join('');
}
