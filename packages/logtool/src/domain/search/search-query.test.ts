import { expect, test } from 'vitest';
import { findTermFault } from './search-query.ts';

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
