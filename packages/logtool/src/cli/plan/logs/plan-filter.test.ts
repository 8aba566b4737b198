import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { planOf } from '../../../../../../test/support/cli/plan-of.ts';
import { FUZZ, FUZZED } from '../../../../../../test/support/fuzz/seed.ts';
import { joinPatterns } from './plan-filter.ts';

test.each([
  ['(?P<a>x)', '(?<a>y)', '(?:(x))|(?:(y))'],
  ['(?P<a>(?P<b>x)y)', 'z', '(?:((x)y))|(?:z)'],
  ['\\(?P<a>', '[(?P<a>]', '(?:\\(?P<a>)|(?:[(?P<a>])'],
  ['[](?P<a>]', '[^](?P<a>]', '(?:[](?P<a>])|(?:[^](?P<a>])'],
  ['[[:alpha:](?P<a>]', '[\\](?P<a>]', '(?:[[:alpha:](?P<a>])|(?:[\\](?P<a>])'],
  ['\\Q(?P<a>\\E(?P<a>x)', '\\Q(?P<a>', '(?:\\Q(?P<a>\\E(x))|(?:\\Q(?P<a>\\E)'],
  ['[:[:a]', '[[:alpha:]]', '(?:[:\\[:a])|(?:[[:alpha:]])'],
  ['\\Qa\\', '\\\\Q(?P<a>)', '(?:\\Qa\\\\E)|(?:\\\\Q())'],
])('%s and %s', (first, second, joined) => {
  expect(joinPatterns([first, second])).toBe(joined);
  RE2JS.compile(joined);
});

test('one pattern does not change', () => {
  expect(joinPatterns(['(?P<a>x)\\Qy'])).toBe('(?P<a>x)\\Qy');
});

test('patterns of --grep and of --highlight may name the same group', async () => {
  const flags = ['--force', '-g', 'id=(?P<id>\\d+)', '-g', 'user (?P<id>\\w+)'];
  const { engine, output } = await planOf(['web', ...flags, '--highlight', '(?<id>x)']);
  expect(RE2JS.compile(engine.filter.grep ?? '').test('user ada')).toBe(true);
  expect(RE2JS.compile(output.highlight ?? '').test('x')).toBe(true);
});

test('--all-match keeps the patterns of --grep apart, since all of them must match', async () => {
  const flags = ['web', '--force', '-g', 'disk', '-g', 'full'];
  const { filter } = (await planOf([...flags, '--all-match'])).engine;
  expect([filter.grep, filter.also]).toEqual(['disk', ['full']]);
  const any = (await planOf(flags)).engine.filter;
  expect([any.grep, any.also]).toEqual(['(?:disk)|(?:full)', []]);
});

const piece = fc.constantFrom(
  'a',
  'b',
  '(',
  ')',
  '(?:',
  '(?i)',
  '(?P<a>',
  '(?<b>',
  '[',
  '[^',
  ']',
  '[[:alpha:]]',
  '[:',
  ':]',
  '|',
  '*',
  '\\',
  '\\\\',
  '\\Q',
  '\\E',
  '\\d',
  '\\[',
  '\\]',
  '\\(',
  '^',
  '$',
  '-',
  '<',
  '>',
  '?',
  '漢',
  '😀',
);
const pattern = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
const line = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));

test(`the joined pattern matches where one of its parts does (${FUZZED})`, () => {
  let compared = 0;
  fc.assert(
    fc.property(pattern, pattern, line, (first, second, text) => {
      const patterns = [compiled(first), compiled(second)];
      if (patterns[0] === undefined || patterns[1] === undefined) return;
      compared++;
      const joined = RE2JS.compile(joinPatterns([first, second]));
      expect(joined.test(text)).toBe(patterns.some((each) => each?.test(text)));
    }),
    FUZZ,
  );
  expect(compared).toBeGreaterThan(200);
});

function compiled(text: string): RE2JS | undefined {
  try {
    return RE2JS.compile(text);
  } catch {
    return undefined;
  }
}
