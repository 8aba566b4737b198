import { expect, test } from 'vitest';
import { clearFacet, facetState, fieldChips, toggleFacet } from './facet-change.ts';

test('includes a value, then removes it', () => {
  const once = toggleFacet({}, 'level', 'error', 'included');
  expect(once).toEqual({ inc: { level: ['error'] }, exc: undefined });
  expect(toggleFacet({ inc: { level: ['error'] } }, 'level', 'error', 'included')).toEqual({
    inc: undefined,
    exc: undefined,
  });
});

test('excluding a value that is included moves it, and leaves the others', () => {
  const url = { inc: { level: ['error', 'warn'] as const, node: ['a'] } };
  const moved = toggleFacet(url, 'level', 'error', 'excluded');
  expect(moved).toEqual({ inc: { level: ['warn'], node: ['a'] }, exc: { level: ['error'] } });
});

test('the state of a value says on which side it is', () => {
  const url = { inc: { level: ['error'] }, exc: { node: ['a'] } };
  expect(facetState(url, 'level', 'error')).toBe('included');
  expect(facetState(url, 'node', 'a')).toBe('excluded');
  expect(facetState(url, 'node', 'error')).toBeUndefined();
});

test('a value is taken away from both sides', () => {
  const url = { inc: { node: ['b'] }, exc: { node: ['a'] } };
  expect(clearFacet(url, 'node', 'a')).toEqual({ inc: { node: ['b'] }, exc: undefined });
});

test('a filter of a field is taken apart at its first equals sign', () => {
  expect(fieldChips(['route=/a=b', '!user.id=7'])).toEqual([
    { text: 'route=/a=b', path: 'route', value: '/a=b', isExcluded: false },
    { text: '!user.id=7', path: 'user.id', value: '7', isExcluded: true },
  ]);
});
