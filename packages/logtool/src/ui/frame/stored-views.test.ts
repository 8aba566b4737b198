import { expect, test } from 'vitest';
import { parseViews } from './stored-views.ts';

const view = { name: 'shop: web', href: '/console?ctx=a&src=b', atMs: 1 };

test('views are read back', () => {
  expect(parseViews(JSON.stringify([view]))).toEqual([view]);
});

test('an address that is not of this page never becomes a link', () => {
  const bad = [
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'console',
    3,
  ];
  expect(parseViews(JSON.stringify(bad.map((href) => ({ ...view, href }))))).toEqual([]);
});

test('broken storage is an empty shelf', () => {
  for (const text of [null, '', '{', '{}', '[null, 1, {}]']) expect(parseViews(text)).toEqual([]);
});
