import { expect, test } from 'vitest';
import { caretUnder } from './caret.ts';

test('the caret stands under the character', () => {
  expect(caretUnder('deployments/Web', 12)).toBe('    deployments/Web\n                ^');
});

test('wide characters take two columns and combining marks none', () => {
  expect(caretUnder('漢e\u0301x', 3)).toBe('    漢e\u0301x\n       ^');
});

test('escapes control characters', () => {
  expect(caretUnder('a\u001b[2Jb', 1)).toBe('    a?[2Jb\n     ^');
});

test('of a long text the part around the place is shown', () => {
  const [line = '', caret = ''] = caretUnder(`${'a'.repeat(500)}B${'c'.repeat(500)}`, 500).split('\n');
  expect(line[caret.indexOf('^')]).toBe('B');
  expect(line.length).toBeLessThan(140);
});
