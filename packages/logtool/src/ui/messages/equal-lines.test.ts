import { expect, test } from 'vitest';
import { equalText } from './equal-lines.ts';

test('the length of time is rounded up, in its unit', () => {
  expect(equalText({ lines: 40, ms: 200 })).toBe('×40 in 200 ms');
  expect(equalText({ lines: 2, ms: 0 })).toBe('×2 in 0 ms');
  expect(equalText({ lines: 1_204, ms: 1_210 })).toBe('×1,204 in 1.3 s');
  expect(equalText({ lines: 3, ms: 61_000 })).toBe('×3 in 61 s');
  expect(equalText({ lines: 3, ms: 600_000 })).toBe('×3 in 10 min');
});
