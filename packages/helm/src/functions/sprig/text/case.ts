/** Changes of case that Go makes rune by rune (unicode.ToUpper and so on): no character becomes two. */

const REPLACEMENT = '\ufffd';

/** Small letters whose capital JavaScript writes as two characters, Unicode's simple mapping as one: ᾳ and ᾼ. */
const GREEK = new Map(
  Array.from({ length: 0x80 }, (_, at) => String.fromCharCode(0x1f80 + at)).flatMap((capital) => {
    const small = capital.toLowerCase();
    return small !== capital && isTwo(small.toUpperCase()) ? [[small, capital] as const] : [];
  }),
);
/** Digraphs, which have a third form for the start of a word. */
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
  // Georgian has capitals for whole texts only.
  if (/[\u10d0-\u10fa\u10fd-\u10ff]/.test(rune)) return rune;
  return TITLES.get(rune) ?? runeToUpper(rune);
}

/** The characters of a text, with a byte that is not UTF-8 as U+FFFD, as in Go's range over runes. */
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
