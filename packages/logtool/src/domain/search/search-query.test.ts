import { expect, test } from 'vitest';
import { findTermFault, keyWithoutValue } from './search-query.ts';

test.each([
  ['@level:erorr', 7, 'erorr'],
  ['timeout -@level:warn,nope', 21, 'nope'],
  ['@level:error @level:loud', 20, 'loud'],
])('%s names a level that does not exist', (text, index, value) => {
  expect(findTermFault(text)).toEqual({ code: 'unknown-level', index, value });
});

test.each([
  '@level:error',
  '@level:err',
  '@level:',
  '@level:warn,',
  '@level:warning',
  '@level:none',
  'x@level:q',
  '@json.level:q',
  '"@level:q"',
])('%s names none', (text) => expect(findTermFault(text)).toBeUndefined());

test.each([
  ['@levle:error', 1, 'levle'],
  ['timeout -@levl:warn', 10, 'levl'],
  ['@levels:error', 1, 'levels'],
])('%s has a key that is nearly level', (text, index, name) => {
  expect(findTermFault(text)).toEqual({ code: 'unknown-key', index, name, near: 'level' });
});

test.each([
  '@Level:x',
  '@label:x',
  '@lvl:x',
  '@json.levle:x',
  '"@levle:x"',
  'x@levle:x',
  '@levle',
  '@req.levle:x',
])('%s has none', (text) => expect(findTermFault(text)).toBeUndefined());

test.each([
  ['@duration_ms:>abc', 13, 'duration_ms', '>abc'],
  ['slow -@req.size:<=', 16, 'req.size', '<='],
  ['@a:>=1x', 3, 'a', '>=1x'],
])('%s compares with no number', (text, index, name, value) => {
  expect(findTermFault(text)).toEqual({ code: 'no-number', index, name, value });
});

test.each(['@duration_ms:>100', '@a:<=-2.5', '@err:<nil>', '@a:">abc"', 'x@a:>b', '@a:b>c'])(
  '%s has none',
  (text) => expect(findTermFault(text)).toBeUndefined(),
);

test.each([
  ['@trace_id', 'trace_id'],
  ['timeout -@req.id "a b"', 'req.id'],
  ['@trace_id:7f', undefined],
  ['"@trace_id"', undefined],
  ['"see @trace_id here', undefined],
  ['ada@example.org @', undefined],
])('the key without a value in %s is %s', (text, name) => expect(keyWithoutValue(text)).toBe(name));
