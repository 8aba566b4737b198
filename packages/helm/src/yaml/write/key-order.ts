import { GO_YAML_2, type YamlDialect } from './dialect.ts';

const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;

/**
 * Compares keys like go-yaml, in natural order: `a2` before `a10`; letters after everything else; digits by the number
 * that they form.
 */
export function keyOrder(a: string, b: string, { lettersEndNumbers }: YamlDialect = GO_YAML_2): number {
  const left = [...a];
  const right = [...b];
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const one = left[index] as string;
    const other = right[index] as string;
    if (one === other) continue;
    const isLetter = LETTER.test(one);
    const isOtherLetter = LETTER.test(other);
    if (isLetter && isOtherLetter) return codePoint(one) - codePoint(other);
    if (isLetter || isOtherLetter) {
      const followsDigit = lettersEndNumbers && index > 0 && DIGIT.test(left[index - 1] as string);
      return isOtherLetter === followsDigit ? 1 : -1;
    }
    return numberOrder(left, right, index);
  }
  return left.length - right.length;
}

function numberOrder(left: readonly string[], right: readonly string[], index: number): number {
  // A zero inside a number is not a leading one: both numbers then include the digits before it.
  const begun = (left[index] === '0' || right[index] === '0') && followsNumber(left, index) ? 1n : 0n;
  const [a, endOfA] = digitsFrom(left, index, begun);
  const [b, endOfB] = digitsFrom(right, index, begun);
  if (a !== b) return a < b ? -1 : 1;
  if (endOfA !== endOfB) return endOfA - endOfB;
  return codePoint(left[index] as string) - codePoint(right[index] as string);
}

function followsNumber(characters: readonly string[], index: number): boolean {
  for (let before = index - 1; before >= 0; before--) {
    const character = characters[before] as string;
    if (!DIGIT.test(character)) return false;
    if (character !== '0') return true;
  }
  return false;
}

function digitsFrom(characters: readonly string[], start: number, begun: bigint): [bigint, number] {
  let value = begun;
  let end = start;
  for (; end < characters.length && DIGIT.test(characters[end] as string); end++) {
    // An int64 that overflows silently: the order of very long numbers is arbitrary, but the same as go-yaml's.
    value = BigInt.asIntN(64, value * 10n + BigInt(codePoint(characters[end] as string) - 0x30));
  }
  return [value, end];
}

function codePoint(character: string): number {
  return character.codePointAt(0) as number;
}
