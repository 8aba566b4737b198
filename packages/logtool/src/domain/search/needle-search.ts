import type { Needle } from './line-matcher.ts';

const encoder = new TextEncoder();
const CAPITAL_A = 0x41;
const CAPITAL_Z = 0x5a;
const TO_SMALL = 0x20;

/**
 * Finds a needle in bytes of UTF-8 without decoding them (R. N. Horspool, "Practical fast searching in strings", 1980).
 * Examines about one byte out of as many as the needle has.
 */
export class NeedleSearch {
  /** Bytes of the needle. */
  readonly length: number;
  readonly #needle: Uint8Array;
  /** The needle's bytes, with the other case of its letters. */
  readonly #other: Uint8Array;
  /** By byte: the distance from its last occurrence in the needle to the end; 0: it is the last byte. */
  readonly #shifts: Uint16Array;
  /** How far to advance if the last byte matches and another does not. */
  readonly #afterLast: number;

  constructor({ text, ignoreCase }: Needle) {
    const needle = encoder.encode(text);
    const { length } = needle;
    this.length = length;
    this.#needle = needle;
    this.#other = ignoreCase ? needle.map(otherCase) : needle;
    this.#shifts = new Uint16Array(256).fill(length);
    let afterLast = length;
    for (let at = 0; at < length; at++) {
      if (at < length - 1 && this.#isAt(needle[length - 1] as number, at)) afterLast = length - 1 - at;
      this.#shifts[needle[at] as number] = length - 1 - at;
      this.#shifts[this.#other[at] as number] = length - 1 - at;
    }
    this.#afterLast = afterLast;
  }

  /** Returns the offset of the first match at or after `from` that ends before `end`; -1 if none. */
  indexIn(bytes: Uint8Array, from: number, end: number): number {
    const needle = this.#needle;
    const other = this.#other;
    const shifts = this.#shifts;
    const last = needle.length - 1;
    let at = from + last;
    while (at < end) {
      const shift = shifts[bytes[at] as number] as number;
      if (shift > 0) {
        at += shift;
        continue;
      }
      const start = at - last;
      let same = 0;
      while (same < last) {
        const byte = bytes[start + same] as number;
        if (byte !== needle[same] && byte !== other[same]) break;
        same++;
      }
      if (same === last) return start;
      at += this.#afterLast;
    }
    return -1;
  }

  #isAt(byte: number, at: number): boolean {
    return this.#needle[at] === byte || this.#other[at] === byte;
  }
}

/** Returns the capital of a lowercase ASCII letter; any other byte unchanged. */
function otherCase(byte: number): number {
  const capital = byte - TO_SMALL;
  return capital >= CAPITAL_A && capital <= CAPITAL_Z ? capital : byte;
}
