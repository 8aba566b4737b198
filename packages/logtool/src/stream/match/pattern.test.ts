import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withMessage } from '../../../../../test/support/with-message.ts';
import { compilePattern, literalOf } from './pattern.ts';

async function isMatch(pattern: string, text: string, ignoreCase = false): Promise<boolean> {
  return (await compilePattern(pattern, ignoreCase, 'grep')).test(Buffer.from(text));
}

test.each([
  ['error', 'an error here', true],
  ['error', 'an ERROR here', false],
  ['a\\.b', 'a.b', true],
  ['a\\.b', 'axb', false],
  ['a.b', 'axb', true],
  ['^GET .* 5\\d\\d$', 'GET /x 503', true],
  ['^GET .* 5\\d\\d$', 'POST GET /x 503', false],
  ['(?i)error', 'ERROR', true],
  ['größe', 'die Größe', false],
  ['größe', 'die größe', true],
  ['', 'anything', true],
  ['\\bdog\\b', 'hotdog', false],
])('%j on %j: %s', async (pattern, text, expected) => {
  expect(await isMatch(pattern, text)).toBe(expected);
});

test.each([
  ['error', 'an ERROR here', true],
  ['GRÖSSE', 'größe', false],
  ['GRÖßE', 'größe', true],
])('ignoring case, %j on %j: %s', async (pattern, text, expected) => {
  expect(await isMatch(pattern, text, true)).toBe(expected);
});

test('invalid UTF-8 does not hide what is around it', async () => {
  const message = Buffer.from([0xff, 0x61, 0x62, 0xfe]);
  expect((await compilePattern('ab', false, 'grep')).test(message)).toBe(true);
  expect((await compilePattern('a.?b', false, 'grep')).test(message)).toBe(true);
});

test('time is linear where other engines take forever', async () => {
  const pattern = await compilePattern('(a+)+$', false, 'grep');
  expect(pattern.test(Buffer.from(`${'a'.repeat(50_000)}b`))).toBe(false);
});

test.each([
  ['plain text', 'plain text'],
  ['a\\.b\\\\', 'a.b\\'],
  ['a.b', undefined],
  ['\\d', undefined],
  ['a\\', undefined],
  ['a|b', undefined],
])('the literal of %j is %j', (pattern, literal) => {
  expect(literalOf(pattern)).toBe(literal);
});

describe('invalid patterns', () => {
  test.each([
    ['a*b(*)', 4],
    ['ab(c', 2],
    ['a(b)(c', 4],
    ['a)b', 1],
    ['(a))b', 3],
    ['a[b', 1],
    ['x[z-a]', 2],
    ['ab\\8', 2],
    ['ab\\', 2],
    ['ax{3,2}', 2],
    ['a**', 1],
    ['*a', 0],
    ['a(?=b)', 1],
    ['[(]a)', 4],
    ['a{1001}', 1],
  ])('%j is wrong at %i', async (pattern, index) => {
    const refused: unknown = await compilePattern(pattern, false, 'exclude').catch(
      (reason: unknown) => reason,
    );
    if (!(refused instanceof CodedError)) throw new Error(`${pattern} was accepted`);
    const error = withMessage(refused);
    expect(error).toMatchObject({ code: 'bad-pattern', exit: 'usage' });
    expect(error.what).toContain('--exclude');
    const [, text, caret] = (error.why ?? '').split('\n');
    expect(text).toBe(`    ${pattern}`);
    expect((caret ?? '').indexOf('^') - 4).toBe(index);
  });
});

test('any text is a pattern or a usage error', async () => {
  const text = fc.string({
    unit: fc.constantFrom(
      'a',
      '(',
      ')',
      '[',
      ']',
      '{',
      '1',
      ',',
      '}',
      '*',
      '\\',
      '?',
      '^',
      '-',
      'Q',
      'p',
      '漢',
      '|',
    ),
    maxLength: 14,
  });
  await fc.assert(
    fc.asyncProperty(text, fc.boolean(), async (pattern, ignoreCase) => {
      try {
        const compiled = await compilePattern(pattern, ignoreCase, 'grep');
        compiled.test(Buffer.from('aa(1)'));
      } catch (error) {
        expect(error).toBeInstanceOf(CodedError);
      }
    }),
  );
});

test('literals and the engine agree', async () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '.', '\\', 'é', '😀'), maxLength: 3 });
  const quote = (literal: string) => literal.replace(/[\\.]/g, '\\$&');
  await fc.assert(
    fc.asyncProperty(piece, fc.array(piece), async (literal, around) => {
      const text = around.join('');
      const fast = await compilePattern(quote(literal), false, 'grep');
      const engine = await compilePattern(`(?:${quote(literal)})`, false, 'grep');
      expect(fast.test(Buffer.from(text))).toBe(engine.test(Buffer.from(text)));
      expect(fast.spans(text)).toEqual(engine.spans(text));
      for (const { start, end } of fast.spans(text)) expect(text.slice(start, end)).toBe(literal);
    }),
  );
});
