import { quoteRune } from '../value/quote.ts';

/** The first character that the pattern does not take, as Helm's validator names it: `invalid character 'x'`. */
export function strangeCharacter(text: string, taken: RegExp, where = ''): string | undefined {
  const strange = [...text].find((character) => !taken.test(character));
  return strange === undefined
    ? undefined
    : `invalid character ${quoteRune(strange.codePointAt(0)!)}${where}`;
}

/** A problem of a part, as one of the whole. */
export function within(name: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${name}: ${problem}`;
}
