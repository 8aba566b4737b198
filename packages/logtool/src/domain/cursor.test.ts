import { expect, test } from 'vitest';
import { formatCursor, parseCursor } from './cursor.ts';

const at = { seconds: 1795255200, nanos: 123456789 };

test('a cursor is a timestamp and the number of records before it at that timestamp', () => {
  expect(formatCursor({ at, shown: 2 })).toBe('2026-11-21T10:00:00.123456789Z~2');
  expect(parseCursor('2026-11-21T10:00:00.123456789Z~2')).toEqual({ at, shown: 2 });
});

test('a count of zero is left off', () => {
  expect(formatCursor({ at, shown: 0 })).toBe('2026-11-21T10:00:00.123456789Z');
});

test.each(['2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z~', '2026-11-21T10:00:00Z~-1', 'now~1', '~1', ''])(
  '%j is no cursor',
  (text) => {
    expect(parseCursor(text)).toBeUndefined();
  },
);
