import { textToBytes } from '../../../value/bytes.ts';
import { isUpper, runesOf, runeToLower, runeToTitle, runeToUpper } from './case.ts';

const SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const IS_SPACE = new RegExp(`^${SPACE}$`);
const BEFORE = new RegExp(`^${SPACE}+`);

/** Go's unicode.IsSpace. */
export function isSpace(character: string): boolean {
  return IS_SPACE.test(character);
}

/** Go's strings.TrimSpace. */
export function trimSpace(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text[end - 1]!)) end--;
  return text.slice(0, end).replace(BEFORE, '');
}

/** Go's strings.Title: capitalizes the first letter of each word; anything but a letter, digit or `_` ends a word. */
export function titled(text: string): string {
  let previous = ' ';
  let title = '';
  for (const rune of runesOf(text)) {
    title += isSeparator(previous) ? runeToTitle(rune) : rune;
    previous = rune;
  }
  return title;
}

function isSeparator(rune: string): boolean {
  const code = rune.codePointAt(0)!;
  if (code <= 0x7f) return !/\w/.test(rune);
  return !/[\p{L}\p{Nd}]/u.test(rune) && isSpace(rune);
}

/** Lowercases the first letter of each word; white space separates words. */
export function untitled(text: string): string {
  let isStart = true;
  return runesOf(text)
    .map((rune) => {
      const first = isStart;
      isStart = isSpace(rune);
      return first && !isStart ? runeToLower(rune) : rune;
    })
    .join('');
}

/** Swaps upper and lower case; a lowercase letter that starts a word becomes its title-case form. */
export function swapCase(text: string): string {
  let isStart = true;
  return runesOf(text)
    .map((rune) => {
      const first = isStart;
      if (isUpper(rune) || /^\p{Lt}$/u.test(rune)) {
        isStart = false;
        return runeToLower(rune);
      }
      if (!/^\p{Ll}$/u.test(rune)) {
        isStart = isSpace(rune);
        return rune;
      }
      isStart = false;
      return first ? runeToTitle(rune) : runeToUpper(rune);
    })
    .join('');
}

/** Returns the bytes of a text as Latin-1 characters: Sprig treats single bytes that way. */
function latin(text: string): string[] {
  return Array.from(textToBytes(text), (byte) => String.fromCharCode(byte));
}

/** Removes white space. If it removes any, non-ASCII characters become their single bytes, as in Sprig. */
export function withoutSpace(text: string): string {
  const bytes = latin(text);
  const rest = bytes.filter((byte) => !isSpace(byte));
  return rest.length === bytes.length ? text : rest.join('');
}

/** Returns the first byte of each word. */
export function initials(text: string): string {
  const bytes = latin(text);
  return bytes.filter((byte, at) => !isSpace(byte) && (at === 0 || isSpace(bytes[at - 1]!))).join('');
}
