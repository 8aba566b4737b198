import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHighlight } from './highlight.ts';

const MARK = '\x1b[0m\x1b[1;30;43m';
const OFF = '\x1b[0m';
const shown = async (pattern: string, line: string, ignoreCase = false) =>
  (await createHighlight(pattern, ignoreCase))(line).replaceAll(MARK, '«').replaceAll(OFF, '»');

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

test('the text itself never changes, and a line is left as it was found', async () => {
  const highlight = await createHighlight('a+|b', false);
  const line = fc.array(fc.constantFrom('a', 'b', 'c', '\x1b[31m', '\x1b[0m', '\x1b[1;4m', '☕'), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(line, (parts) => {
      const text = parts.join('');
      const plain = (marked: string) => marked.replace(/\x1b\[[0-9;]*m/g, '');
      expect(plain(highlight(text))).toBe(plain(text));
    }),
  );
});
