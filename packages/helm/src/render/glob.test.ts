import { expect, it } from 'vitest';
import { globMatcher } from './glob.ts';

it.each([
  ['*', 'a.txt', true],
  ['*', 'a/b.txt', false],
  ['**', 'a/b.txt', true],
  ['a/*', 'a/b.txt', true],
  ['a/*', 'a/b/c', false],
  ['a/**', 'a/b/c', true],
  ['**.txt', 'a/b.txt', true],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['[abc]x', 'bx', true],
  ['[!abc]x', 'bx', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'dx', true],
  ['{a,b*}.y', 'bcd.y', true],
  ['{a,b*}.y', 'c.y', false],
  ['{a,{b,c}}d', 'cd', true],
  ['{,a}b', 'b', true],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
  ['[a', 'anything/at/all', true],
  ['{a', 'anything', true],
])('%s on %s: %s', (pattern, name, isMatch) => {
  expect(globMatcher(pattern)(name)).toBe(isMatch);
});

it('follows patterns that could be matched in very many ways', () => {
  expect(globMatcher(`${'*a'.repeat(30)}b`)('a'.repeat(200))).toBe(false);
  expect(globMatcher(`${'{a,aa}'.repeat(30)}b`)('a'.repeat(200))).toBe(false);
});
