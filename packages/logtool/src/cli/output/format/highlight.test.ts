import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test, vi } from 'vitest';
import { createHighlight, type Highlight } from './highlight.ts';

const MARK = '\x1b[0m\x1b[1;30;43m';
const OFF = '\x1b[0m';
async function highlightOf(pattern: string, ignoreCase = false): Promise<Highlight> {
  const highlight = await createHighlight(pattern, ignoreCase);
  if (highlight === undefined) throw new Error(`${pattern} is not marked`);
  return highlight;
}
const shown = async (pattern: string, line: string, ignoreCase = false) =>
  (await highlightOf(pattern, ignoreCase))(line).replaceAll(MARK, '«').replaceAll(OFF, '»');

test.each([
  ['b', 'abc', 'a«b»c'],
  ['b+', 'abbcb', 'a«bb»c«b»'],
  ['x', 'abc', 'abc'],
  ['', 'abc', 'abc'],
  ['a|c$', 'abc', '«a»b«c»'],
  ['ab', 'a\x1b[31mb\x1b[32mc', '«ab»\x1b[31m\x1b[32mc'],
  ['b', '\x1b[31mabc', '\x1b[31ma«b»\x1b[31mc'],
  ['é', 'caf\u00e9 ☕', 'caf«é» ☕'],
])('%j in %j', async (pattern, line, expected) => expect(await shown(pattern, line)).toBe(expected));

test('letter case on request', async () => expect(await shown('ERR', 'an err', true)).toBe('an «err»'));

test('the text itself never changes, and a line without matches stays unchanged', async () => {
  const highlight = await highlightOf('a+|b');
  const line = fc.array(fc.constantFrom('a', 'b', 'c', '\x1b[31m', '\x1b[0m', '\x1b[1;4m', '☕'), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(line, (pieces) => {
      const text = pieces.join('');
      const plain = (marked: string) => marked.replace(/\x1b\[[0-9;]*m/g, '');
      expect(plain(highlight(text))).toBe(plain(text));
    }),
  );
});

test('a pattern that takes long is not marked', async () => {
  const compile = vi.spyOn(RE2JS, 'compile');
  expect(await createHighlight('[ab]*a[ab]{1000}[xy]$', false)).toBeUndefined();
  expect(compile).not.toHaveBeenCalled();
  compile.mockRestore();
});

test('of a very long line the beginning is marked', async () => {
  const marked = (await highlightOf('a.a'))(`aba${'x'.repeat(1_000_000)}aba`);
  expect(marked.split(MARK)).toHaveLength(2);
  expect(marked.startsWith(`${MARK}aba${OFF}x`)).toBe(true);
});
