import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectHarmless } from '../../../test/fuzz/harmless.ts';
import { hostileText } from '../../../test/fuzz/hostile-text.ts';
import { FUZZ, FUZZED } from '../../../test/fuzz/seed.ts';
import { createHighlight } from '../../cli/output/highlight.ts';
import { LogtoolError } from '../../domain/errors.ts';
import { compilePattern } from './pattern.ts';

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...[
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
      ],
      ...[
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
      ],
      ...['\\b', '^', '$', '|', '.', '-', '漢', '\\A', '\\z', '\\C', '1', ',', '(?s:.*)', '😀'],
    ),
  },
  { weight: 1, arbitrary: hostileText },
);
const pattern = fc.array(piece, { maxLength: 9 }).map((parts) => parts.join(''));
const line = fc.oneof(fc.constantFrom('aa(1)', 'a'.repeat(60), '漢😀a'), hostileText);

test(`any text is a pattern that finds places in the line, or a usage error with a caret (${FUZZED})`, async () => {
  let compiled = 0;
  await fc.assert(
    fc.asyncProperty(pattern, line, fc.boolean(), async (text, given, ignoreCase) => {
      try {
        const { test: matches, spans } = await compilePattern(text, ignoreCase, '--grep');
        compiled++;
        const found = spans(given);
        let at = 0;
        for (const { start, end } of found) {
          expect(start >= at && end > start && end <= given.length).toBe(true);
          at = end;
        }
        if (found.length > 0 && !/\p{Cs}/u.test(given)) expect(matches(Buffer.from(given))).toBe(true);
      } catch (error) {
        if (!(error instanceof LogtoolError)) throw error;
        expect(error.code).toBe('bad-pattern');
        const [why = '', , caret = ''] = (error.why ?? '').split('\n');
        expect(caret).toMatch(/^ {4,}\^$/);
        expect(why).not.toMatch(/TypeError|undefined|is not a function|stack/);
        expectHarmless(`${error.what}${error.next}`, text);
      }
    }),
    FUZZ,
  );
  expect(compiled).toBeGreaterThan(FUZZ.numRuns / 10);
});

/** The least processor time of three runs, after one to warm up, in µs. */
function work(run: () => void): number {
  run();
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}

/** How much more text the longer input has; work that is linear grows by about as much, any other by its square. */
const GROWTH = 16;
const SHORT = 2000;

/** Fails unless the work for a line grows in proportion to its length. */
function expectLinear(run: (line: string) => void, unit: string, end: string): void {
  const lineOf = (length: number) => unit.repeat(length / unit.length) + end;
  const [short, long] = [lineOf(SHORT), lineOf(SHORT * GROWTH)];
  const ratio =
    work(() => run(long)) /
    Math.max(
      1,
      work(() => run(short)),
    );
  expect(ratio).toBeLessThan(GROWTH * 5);
}

// The ends hold what the pattern wants, in a place where it does not help: else a look for that alone says no.
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
])('%s takes time in proportion to the line', async (text, unit, end) => {
  const { test: matches } = await compilePattern(text, false, '--grep');
  expectLinear((line) => expect(matches(Buffer.from(line))).toBe(false), unit, end);
});

test.each([
  ['a(.*b)?', 'a'],
  ['(.*b)?', 'a'],
  ['foo(?:.*bar)?', 'foo '],
])('all places of %s are found in time in proportion to the line', async (text, unit) => {
  const { spans } = await compilePattern(text, false, '--grep');
  expectLinear((line) => void spans(line), unit, '');
  const highlight = await createHighlight(text, false);
  expectLinear((line) => void highlight(line), unit, '');
});
