import type { Value, ValueMap } from './value.ts';

const SURROGATE = /[\ud800-\udfff]/;

/** Compares strings like Go, by bytes: negative if a comes first. */
export function compareText(a: string, b: string): number {
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  const left = [...a];
  const right = [...b];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const difference = rank(left[at]!) - rank(right[at]!);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/**
 * Ranks a character. A lone surrogate represents a byte of 0x80 and up, which compares with the first byte of other
 * characters.
 */
function rank(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0xdc00 || code > 0xdfff) return code;
  const byte = code - 0xdc00;
  if (byte < 0xc2) return 0x7f + byte / 0x100;
  if (byte < 0xe0) return ((byte & 0x1f) << 6) - 0.5;
  if (byte < 0xf0) return ((byte & 0x0f) << 12) - 0.5;
  return byte < 0xf5 ? ((byte & 0x07) << 18) - 0.5 : 0x110000 + byte;
}

/** Returns the keys in the order of range, printing and JSON. */
export function sortedKeys(map: ValueMap): string[] {
  return [...map.keys()].sort(compareText);
}

/** Returns the entries in the order of `sortedKeys`. */
export function sortedEntries(map: ValueMap): [string, Value][] {
  return sortedKeys(map).map((key) => [key, map.get(key)!]);
}
