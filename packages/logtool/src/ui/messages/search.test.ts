import { expect, test } from 'vitest';
import { searchFaultText } from './search.ts';

test.each([
  ['erorr', 'error'],
  ['ERORR', 'error'],
  ['wran', 'warn'],
  ['inf0', 'info'],
  ['fatl', 'fatal'],
])('a level that is typed as %s was meant as %s', (value, level) => {
  const text = searchFaultText({ code: 'unknown-level', index: 7, value });
  expect(text).toBe(`no level ${value}; did you mean ${level}?`);
});

test('a level that is like none lists them all', () => {
  expect(searchFaultText({ code: 'unknown-level', index: 7, value: 'severity' })).toBe(
    'no level severity; levels are fatal, error, warn, info, debug, trace, none',
  );
});
