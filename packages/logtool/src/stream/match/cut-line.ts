import type { PatternSet } from './match-messages.ts';

const ESC = 0x1b;
const LAST_OF_COLOR = 0x6d;
/** What may match at the place of the cut and not in the whole line: ends and borders of words. */
const PLACE = /\$|\\[bBzZ]/;

/**
 * Whether the whole line has the same answer as its first `bytes` bytes: what matches there matches the line too, so
 * that one that passes without excludes passes for certain, and one that fails without include fails for certain.
 */
export function isSureOfCut(
  { include, excludes }: PatternSet,
  message: Uint8Array,
  bytes: number,
  hasPassed: boolean,
): boolean {
  if (hasPassed ? excludes.length > 0 : include !== undefined) return false;
  if ([...(include === undefined ? [] : [include]), ...excludes].some(({ text }) => PLACE.test(text)))
    return false;
  // What the cut leaves of a character or a color is text that the line does not have.
  const isCharacter = ((message[bytes] ?? 0) & 0xc0) !== 0x80;
  const color = message.lastIndexOf(ESC, bytes - 1);
  const end = color === -1 ? color : message.indexOf(LAST_OF_COLOR, color);
  return isCharacter && (color === -1 || (end !== -1 && end < bytes));
}
