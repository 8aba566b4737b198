import { expect, test } from 'vitest';
import { unfoldsBeyond } from './unfolded.ts';

test('each value counts as often as it is met', () => {
  const two = [1, 2];
  expect(unfoldsBeyond({ a: two }, 4)).toBe(false);
  expect(unfoldsBeyond({ a: two, b: two }, 4)).toBe(true);
});

test('a value that holds itself is beyond every limit', () => {
  const self: unknown[] = [];
  self.push(self, self);
  expect(unfoldsBeyond(self, 1000)).toBe(true);
});
