import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { hostileText } from '../../../../../test/support/fuzz/hostile-text.ts';
import { FUZZ, FUZZED } from '../../../../../test/support/fuzz/seed.ts';
import { patternSize } from './pattern-size.ts';

const atom = fc.oneof(
  fc.constantFrom('a', 'k', '.', '漢', '\\d', '\\pL', '\\P{Greek}', '\\b', '^', '\\x{212A}', '\\Qa{2}b\\E'),
  fc.constantFrom('[a-z]', '[^\\pLa]', '[]a]', '[[:alpha:]-]', '[\\x{0}-\\x{3ff}]', '[\\]{3}]', '[^]x]'),
);
const repetition = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+?',
  '?',
  '{3}',
  '{2,}',
  '{2,5}',
  '{0,9}',
  '{0}',
  '{,2}',
);
const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?i:', '(?i)(', '(?P<n>', '(?<n>', '(?s-i:'), tie('pattern'))
      .map(([head, inside]) => `${head}${inside})`),
  ),
  pattern: fc
    .array(fc.tuple(tie('piece'), repetition, fc.constantFrom('', '', '', '|')), {
      minLength: 1,
      maxLength: 4,
      depthIdentifier: 'group',
    })
    .map((pieces) => pieces.flat().join('')),
}));

test(`no pattern compiles to more instructions than its size says (${FUZZED})`, () => {
  let compiled = 0;
  fc.assert(
    fc.property(fc.oneof(pattern, hostileText), fc.boolean(), (text, ignoreCase) => {
      const size = patternSize(text, ignoreCase);
      // Larger patterns take long.
      if (size > 5_000) return;
      let actual: number;
      try {
        actual = RE2JS.compile(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0).programSize();
      } catch {
        return;
      }
      compiled++;
      expect(actual).toBeLessThanOrEqual(size);
    }),
    FUZZ,
  );
  expect(compiled).toBeGreaterThan(FUZZ.numRuns / 10);
});

test.each([
  ['error', 10],
  ['(?i)error.*timeout', 30],
  ['error|warn|fatal', 30],
  ['\\b5\\d\\d\\b', 12],
  ['\\d{1,3}(\\.\\d{1,3}){3}', 60],
  ['[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 110],
  ['\\w+\\s+\\w+@\\w+\\.com', 30],
  ['(?i)[а-яё]+', 15],
  ['\\pL+', 80],
])('an ordinary pattern is small: %s', (text, most) => {
  expect(patternSize(text, false)).toBeLessThanOrEqual(most);
});

test.each([
  ['(?i)[^\\pLa]{1000}', 1_000],
  ['[ab]*a[ab]{1000}[xy]$', 1_000],
  ['(?:a{1000}){1000}', 1_000_000],
  ['((((a{10}){10}){10}){10}){10}', 100_000],
  ['(?:[a-z]{0,1000}b){2}', 2_000],
  ['\\pL'.repeat(3_000), 100_000],
  ['(?i)[\\x{0}-\\x{ffff}b-z]', 2_000],
  ['(?i)[\\x{100}-\\pL]', 2_000],
  [`(?i)${'[一-龥]'.repeat(100)}`, 50_000],
  ['\\Qabcde\\E{1000}', 5_000],
  [`[${'漢'.repeat(4_000)}]`, 500],
])('what takes long to compile or to match is large (%#)', (text, least) => {
  expect(patternSize(text, false)).toBeGreaterThanOrEqual(least);
});
