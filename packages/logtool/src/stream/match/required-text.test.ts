import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { FUZZ, FUZZED } from '../../../../../test/support/fuzz/seed.ts';
import { requiredText } from './required-text.ts';

test.each([
  ['needle-[a-z]+', 'needle-'],
  ['request [0-9]*77 (cache|retrying)', 'request '],
  ['[0-9]+5000 ', '5000 '],
  ['^GET /api/\\d+ 5..$', 'GET /api/'],
  ['status=5\\d\\d', 'status=5'],
  ['a\\.b\\*c', 'a.b*c'],
  ['colou?r', 'colo'],
  ['ab+c', 'ab'],
  ['ab*cd', 'cd'],
  ['ab{2,3}c', 'a'],
  ['ab{,3}', ',3}'],
  ['x😀*yz', 'yz'],
  ['(?:a(b)[)]\\))tail', 'tail'],
  ['[]a[:alpha:]]rest', 'rest'],
  ['(?P<name>x)y', 'y'],
  ['a|b', undefined],
  ['(?i)abc', undefined],
  ['(?i:abc)def', undefined],
  ['(a|b)', undefined],
  ['.*', undefined],
  ['\\Qa|b\\E', undefined],
  ['\\x41b', undefined],
  ['\\pLabc', undefined],
  ['\ufffd', undefined],
  ['a?', undefined],
])('what matches %s holds %s', (pattern, required) => {
  RE2JS.compile(pattern);
  expect(requiredText(pattern)).toBe(required);
});

const piece = fc.constantFrom(
  'a',
  'b',
  'ab',
  '(',
  ')',
  '(?:',
  '(?P<n>',
  '[',
  '[^',
  ']',
  '[[:alpha:]]',
  '[[:',
  ':]',
  '-',
  '|',
  '.',
  '*',
  '+',
  '?',
  '*?',
  '{',
  '}',
  '{0}',
  '{2}',
  '{1,',
  '{0,2}',
  '{,1}',
  ',',
  '1',
  '\\',
  '\\\\',
  '\\.',
  '\\d',
  '\\w',
  '\\b',
  '^',
  '$',
  '漢',
  '😀',
  '\\Q',
  '\\E',
  '\\z',
  '(?i)',
  '(?i:',
  '\\pL',
  '\\n',
  '\\1',
);
const letters = fc.array(
  fc.constantFrom('a', 'b', 'A', '1', '.', '{', '}', ',', '-', ']', '漢', '😀', '\\'),
  {
    maxLength: 12,
  },
);

test(`every matching text contains the required text (${FUZZED})`, () => {
  let matched = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 7 }), fc.array(letters, { maxLength: 8 }), (pieces, texts) => {
      const pattern = pieces.join('');
      let regex: RE2JS;
      try {
        regex = RE2JS.compile(pattern);
      } catch {
        return;
      }
      const required = requiredText(pattern);
      if (required === undefined) return;
      // Texts near the pattern match more often than random ones.
      const near = [pieces.filter((one) => /^[ab1,漢😀-]/u.test(one)).join('')];
      for (const text of [...texts.map((units) => units.join('')), ...near, 'ab1ab{,1}-', required]) {
        if (!regex.test(text)) continue;
        matched++;
        expect(text).toContain(required);
      }
    }),
    FUZZ,
  );
  expect(matched).toBeGreaterThan(FUZZ.numRuns / 20);
});
