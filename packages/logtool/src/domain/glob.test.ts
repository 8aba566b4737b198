import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globMatches, makeGlob } from './glob.ts';

test.each([
  ['*', '', true],
  ['*', 'anything', true],
  ['web', 'web', true],
  ['web', 'web-1', false],
  ['web-*', 'web-', true],
  ['web-*', 'web-1', true],
  ['web-*', 'web', false],
  ['*-7d9f', 'web-7d9f', true],
  ['*-7d9f', '-7d9f', true],
  ['*-7d9f', 'web-7d9f-x', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['*x*y*', '-x-y-', true],
  ['*x*y*', '-y-x-', false],
  ['a**b', 'ab', true],
])('%s on %j: %s', (pattern, name, expected) => {
  expect(globMatches(makeGlob(pattern), name)).toBe(expected);
});

test('agrees with the regular expression that says the same', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '-', '*'), maxLength: 8 });
  fc.assert(
    fc.property(pattern, text, (glob, name) => {
      const expected = new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(name);
      expect(globMatches(makeGlob(glob), name)).toBe(expected);
    }),
  );
});
