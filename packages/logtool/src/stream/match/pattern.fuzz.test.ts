import fc from 'fast-check';
import { expect, test } from 'vitest';
import { charactersRead } from '../../../../../test/support/fuzz/characters-read.ts';
import { expectEscaped } from '../../../../../test/support/fuzz/escaped.ts';
import { hostileText } from '../../../../../test/support/fuzz/hostile-text.ts';
import { FUZZ, FUZZED } from '../../../../../test/support/fuzz/seed.ts';
import { withMessage } from '../../../../../test/support/with-message.ts';
import { createHighlight } from '../../cli/output/format/highlight.ts';
import { compilePattern } from './pattern.ts';

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'a',
      '(',
      ')',
      '(?:',
      '(?i)',
      '(?P<n>',
      '(?=',
      '[',
      '[^',
      ']',
      '[[:alpha:]]',
      '{',
      '{2}',
      '{1,',
      '}',
      '{1000}',
      '{1001}',
      '*',
      '+',
      '?',
      '*?',
      '\\',
      '\\Q',
      '\\E',
      '\\d',
      '\\pL',
      '\\p{Greek}',
      '\\p',
      '\\1',
      '\\x{',
      '\\x{10FFFF}',
      '\\b',
      '^',
      '$',
      '|',
      '.',
      '-',
      '漢',
      '\\A',
      '\\z',
      '\\C',
      '1',
      ',',
      '(?s:.*)',
      '😀',
    ),
  },
  { weight: 1, arbitrary: hostileText },
);
const pattern = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''));
const line = fc.oneof(fc.constantFrom('aa(1)', 'a'.repeat(60), '漢😀a'), hostileText);

test(`any text is a pattern that finds places in the line, or a usage error with a caret (${FUZZED})`, async () => {
  let compiled = 0;
  await fc.assert(
    fc.asyncProperty(pattern, line, fc.boolean(), async (text, given, ignoreCase) => {
      try {
        const { test: matches, spans } = await compilePattern(text, ignoreCase, 'grep');
        compiled++;
        const found = spans(given);
        let at = 0;
        for (const { start, end } of found) {
          expect(start >= at && end > start && end <= given.length).toBe(true);
          at = end;
        }
        if (found.length > 0 && !/\p{Cs}/u.test(given)) expect(matches(Buffer.from(given))).toBe(true);
      } catch (failure) {
        const error = withMessage(failure);
        expect(error.code).toBe('bad-pattern');
        const [why = '', , caret = ''] = (error.why ?? '').split('\n');
        expect(caret).toMatch(/^ {4,}\^$/);
        expect(why).not.toMatch(/TypeError|undefined|is not a function|stack/);
        expectEscaped(`${error.what}${error.next}`, text);
      }
    }),
    FUZZ,
  );
  expect(compiled).toBeGreaterThan(FUZZ.numRuns / 10);
});

const LENGTHS = [1_000, 10_000, 100_000];
const lineOf = (unit: string, length: number, end: string) => unit.repeat(length / unit.length) + end;

// The ends contain the required text, at a position where it does not help: otherwise searching only for that text
// would fail.
test.each([
  ['^(a+)+$', 'a', 'b'],
  ['^(a|aa)+$', 'a', 'b'],
  ['^(a*)*b$', 'a', 'ba'],
  ['^(.*a){12}x$', 'a', 'xa'],
  ['^(x+x+)+y$', 'x', 'yx'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a', 'A'],
  ['^(a?){30}a{30}$', 'a', ''],
  ['.*.*=.*;$', 'a=', ';a'],
  ['(?:[a-z]*a){8}[0-9]z', 'a', '1az'],
  ['\\b(a+)+\\b$', 'a', '.'],
  ['^(?:a?){500}a{500}$', 'a', 'b'],
])('%s examines each character of a line a few times, however long it is', async (text, unit, end) => {
  const { test: matches } = await compilePattern(text, false, 'grep');
  for (const length of LENGTHS) {
    const line = Buffer.from(lineOf(unit, length, end));
    const read = charactersRead(() => expect(matches(line)).toBe(false));
    expect(read).toBeGreaterThan(length / 2);
    expect(read).toBeLessThan(3 * line.length);
  }
});

test.each([
  ['a(.*b)?', 'a'],
  ['(.*b)?', 'a'],
  ['foo(?:.*bar)?', 'foo '],
])(
  'all places of %s are found in a number of looks that the length does not multiply',
  async (text, unit) => {
    const { spans } = await compilePattern(text, false, 'grep');
    const highlight = await createHighlight(text, false);
    for (const length of LENGTHS) {
      const line = lineOf(unit, length, '');
      // A million characters for all searches together, and the last of them to its end; each is examined twice.
      const most = 3 * (2 ** 20 + length);
      for (const find of [spans, highlight ?? expect.unreachable()]) {
        const read = charactersRead(() => void find(line));
        expect(read).toBeGreaterThan(length / 2);
        expect(read).toBeLessThan(most);
      }
    }
  },
);
