import { expect, test } from 'vitest';
import { otherClockText } from './range.ts';

test.each([
  [0, undefined],
  [29_000, undefined],
  [-29_000, undefined],
  [40_200, 'your clock is 40 s ahead'],
  [-600_400, 'your clock is 10 min behind'],
  [10_800_000, 'your clock is 3 h ahead'],
])('a clock that is %i ms ahead of the server is called %j', (aheadMs, text) => {
  expect(otherClockText(aheadMs)).toBe(text);
});
