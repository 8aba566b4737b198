import { expect, test } from 'vitest';
import { findUnknownLevel } from './search-query.ts';

test.each([
  ['@level:erorr', 7, 'erorr'],
  ['timeout -@level:warn,nope', 21, 'nope'],
  ['@level:error @level:loud', 20, 'loud'],
])('%s names a level that does not exist', (text, index, value) => {
  expect(findUnknownLevel(text)).toEqual({ code: 'unknown-level', index, value });
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
])('%s names none', (text) => expect(findUnknownLevel(text)).toBeUndefined());
