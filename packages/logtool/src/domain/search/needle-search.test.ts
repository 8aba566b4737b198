import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NeedleSearch } from './needle-search.ts';

const encoder = new TextEncoder();
const piece = fc.constantFrom('a', 'A', 'b', 'B', 'ab', 'é', '漢', '😀', '[', '{', '@', '`', ' ', '\n', '0');
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
const ascii = /^[\x00-\x7f]*$/;

test('bytes have a needle where the text has it', () => {
  fc.assert(
    fc.property(text, text, fc.boolean(), fc.nat(40), fc.nat(40), (hay, needle, ignoreCase, from, cut) => {
      fc.pre(needle !== '' && !(ignoreCase && !ascii.test(needle)));
      const bytes = encoder.encode(hay);
      const end = Math.max(0, bytes.length - cut);
      // One character per byte, so that offsets are those of bytes.
      const asLatin1 = (slice: Uint8Array) => String.fromCharCode(...slice);
      const fold = (latin: string) =>
        ignoreCase ? latin.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : latin;
      const wanted = fold(asLatin1(encoder.encode(needle)));
      const expected = fold(asLatin1(bytes.subarray(0, end))).indexOf(wanted, from);
      const search = new NeedleSearch({ text: ignoreCase ? needle.toLowerCase() : needle, ignoreCase });
      // From after the end on, indexOf returns the same as at the end.
      expect(search.indexIn(bytes, from, end)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});
