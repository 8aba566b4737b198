import { expect, test } from 'vitest';
import { parseOpened } from './opened-namespaces.ts';

test('of the stored namespaces only whole entries with names that a cluster may have are read', () => {
  const stored = [
    ['admin', ['team-a', 'b']],
    ['other', ['Team']],
    ['bad', ['a/b']],
    [1, ['a']],
    'x',
    ['none', []],
  ];
  expect(parseOpened(JSON.stringify(stored))).toEqual([
    ['admin', ['team-a', 'b']],
    ['none', []],
  ]);
  expect(parseOpened('')).toEqual([]);
  expect(parseOpened('{"a":1}')).toEqual([]);
});
