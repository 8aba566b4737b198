import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength, clipBytes } from './clip.ts';

/** Characters of one to four bytes. */
const CHARACTER = fc.constantFrom('a', 'é', '漢', '😀');

test('a clipped text is the longest beginning of whole characters that fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: CHARACTER, maxLength: 40 }), fc.nat(100), (text, maxBytes) => {
      const clipped = clipBytes(text, maxBytes);
      const characters = [...text];
      let expected = '';
      for (const character of characters) {
        if (byteLength(expected + character) > maxBytes) break;
        expected += character;
      }
      expect(clipped).toBe(expected);
    }),
  );
});

test.each([
  ['é', 1, ''],
  ['aé', 2, 'a'],
  ['漢字', 5, '漢'],
  ['😀', 3, ''],
  ['abc', 0, ''],
])('%s in %d bytes', (text, maxBytes, clipped) => {
  expect(clipBytes(text, maxBytes)).toBe(clipped);
});
