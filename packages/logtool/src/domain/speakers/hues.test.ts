import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HUES, HueAllotment, identityOf } from './hues.ts';

const identity = fc.string({ minLength: 1, maxLength: 30 });
const together = (identities: readonly string[], size?: number) => {
  const hues = new HueAllotment(size);
  for (const each of identities) hues.see(each);
  return new Map(identities.map((each) => [each, hues.of(each)]));
};

test('the same containers have the same hues, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.uniqueArray(identity), fc.integer(), (identities, seed) => {
      const turned = [...identities].sort((a, b) => (a.length - b.length) * (seed % 3) || (a < b ? 1 : -1));
      const hues = together(turned);
      for (const [each, hue] of together(identities)) expect(hues.get(each)).toBe(hue);
    }),
  );
});

test('containers differ as long as there are hues, and keep theirs when others come', () => {
  fc.assert(
    fc.property(fc.uniqueArray(identity, { maxLength: 40 }), fc.constantFrom(10, HUES, 30), (all, size) => {
      const hues = new HueAllotment(size);
      const given = all.map((each) => hues.of(each));
      expect(new Set(given).size).toBe(Math.min(all.length, size));
      expect(all.map((each) => hues.of(each))).toEqual(given);
      for (const hue of given) expect(hue).toBeLessThan(size);
    }),
  );
});

test('a terminal with more colors gives the first containers the hues of the page', () => {
  fc.assert(
    fc.property(fc.uniqueArray(identity, { maxLength: HUES }), (identities) => {
      expect(together(identities, 30)).toEqual(together(identities));
    }),
  );
});

test('a hue stays what it is from version to version', () => {
  expect(identityOf({ namespace: 'shop', pod: 'web-0', container: 'app' })).toBe('shop/web-0/app');
  expect(new HueAllotment().of('shop/web-0/app')).toBe(5);
});
