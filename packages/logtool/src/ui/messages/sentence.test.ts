import { expect, test } from 'vitest';
import { sentence } from './sentence.ts';

test('a sentence begins with a capital', () => {
  expect(sentence("this token is not the server's")).toBe("This token is not the server's");
  expect(sentence('you may not list pods')).toBe('You may not list pods');
});

test('does not change names and addresses', () => {
  for (const text of [
    'https://a:6443 does not answer',
    'kubectl is old',
    'logtool does not answer',
    'web-1 is gone',
    '',
  ]) {
    expect(sentence(text)).toBe(text);
  }
});
