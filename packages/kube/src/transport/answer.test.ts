import { expect, test } from 'vitest';
import { parseRetryAfterMs } from './answer.ts';

const NOW = Date.UTC(2026, 10, 21, 10);

test.each([
  ['0', 0],
  [' 7 ', 7000],
  ['Sat, 21 Nov 2026 10:00:05 GMT', 5000],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['soon', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['2026', 2_026_000],
  ['99999999999999999999', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %s is %s ms', (header, expected) => {
  expect(parseRetryAfterMs(header, NOW)).toBe(expected);
});
