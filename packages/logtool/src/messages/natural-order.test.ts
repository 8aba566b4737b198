import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareNatural } from './natural-order.ts';

test('the natural order is an order', () => {
  const text = fc
    .array(fc.constantFrom('a', '-', '0', '1', '2', '10'), { maxLength: 6 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(Math.sign(compareNatural(a, b))).toBe(-Math.sign(compareNatural(b, a)) || 0);
      expect(compareNatural(a, b) === 0).toBe(a === b);
      if (compareNatural(a, b) < 0 && compareNatural(b, c) < 0) expect(compareNatural(a, c)).toBeLessThan(0);
    }),
    { numRuns: 5_000 },
  );
});
