import { expect, test } from 'vitest';
import { localTimeText } from './local-time.ts';

test('a date is written as ISO 8601 has it, and the time has 24 hours, wherever the browser is', () => {
  expect(localTimeText(new Date(2026, 10, 5, 0, 7, 9).getTime())).toBe('2026-11-05 00:07:09');
  expect(localTimeText(new Date(2026, 5, 21, 15, 4, 5, 999).getTime())).toBe('2026-06-21 15:04:05');
  expect(localTimeText(Date.parse('yesterday'))).toBe('');
});
