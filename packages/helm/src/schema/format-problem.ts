import { quoteRune } from '../value/quote.ts';

/** Returns the first character outside the pattern, worded like Helm's validator: `invalid character 'x'`. */
export function strangeCharacter(text: string, taken: RegExp, where = ''): string | undefined {
  const strange = [...text].find((character) => !taken.test(character));
  return strange === undefined
    ? undefined
    : `invalid character ${quoteRune(strange.codePointAt(0)!)}${where}`;
}

/** Names the part of a text that has a problem. */
export function within(name: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${name}: ${problem}`;
}
