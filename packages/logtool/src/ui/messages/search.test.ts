import { expect, test } from 'vitest';
import { missingFieldText, searchFaultText } from './search.ts';

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

test('a key that is nearly one of the search says which, and how a field of that name is written', () => {
  expect(searchFaultText({ code: 'unknown-key', index: 1, name: 'levle', near: 'level' })).toBe(
    'no key @levle; did you mean @level? @json.levle is the field',
  );
});

test('a comparison with a text says how the text is found', () => {
  expect(searchFaultText({ code: 'no-number', index: 13, name: 'duration_ms', value: '>abc' })).toBe(
    'no number after >; to find the text, quote it: @duration_ms:">abc"',
  );
});

test('reports a field that no line has with the number of lines that it checked', () => {
  const field = { path: 'statsu', near: 'status', lines: 20_000, isAll: true };
  expect(missingFieldText(field)).toBe('no line read so far has the field statsu; did you mean status?');
  expect(missingFieldText({ ...field, near: undefined, isAll: false })).toBe(
    'none of the newest 20,000 lines that logtool read has the field statsu',
  );
});
