import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength, clipBytes, clipMarked } from './clip.ts';

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

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdefg', 6, 'abc…'],
  ['ééé', 5, 'é…'],
  ['abc', 2, 'ab'],
])('%s in %d bytes ends with a mark if it was cut', (text, maxBytes, clipped) => {
  expect(clipMarked(text, maxBytes)).toBe(clipped);
});
