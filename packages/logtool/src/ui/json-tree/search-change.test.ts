import { expect, test } from 'vitest';
import { parseSearch } from '../../domain/search/search-query.ts';
import { everywhereChange, hasTerm, textChange } from './search-change.ts';

const PAIR = 'err="no \\"route\\""';

test('a pair is asked for beside what is searched, and taken away by the same once more', () => {
  const included = textChange({ q: 'slow' }, PAIR, false);
  expect(parseSearch(included.q ?? '')).toEqual([
    { kind: 'text', text: 'slow', not: false },
    { kind: 'text', text: PAIR, not: false },
  ]);
  expect(included.only).toBe(true);
  const url = { q: included.q ?? '' };
  expect(hasTerm(url, PAIR, false)).toBe(true);
  expect(hasTerm(url, PAIR, true)).toBe(false);
  const excluded = textChange(url, PAIR, true);
  expect(parseSearch(excluded.q ?? '').at(-1)).toEqual({ kind: 'text', text: PAIR, not: true });
  expect(textChange({ q: excluded.q ?? '' }, PAIR, true).q).toBe('slow');
  expect(textChange({ q: '"a=1"' }, 'a=1', false).q).toBeUndefined();
});

test('an expression gives way to the pair', () => {
  expect(textChange({ q: 'a.*b', regex: true }, 'a=1', false)).toEqual({
    q: '"a=1"',
    regex: undefined,
    only: true,
  });
});

test('a value is sought in all sources, without the filters', () => {
  expect(everywhereChange('80c6f1')).toEqual({
    q: '"80c6f1"',
    only: true,
    case: undefined,
    word: undefined,
    regex: undefined,
    inc: undefined,
    exc: undefined,
    fields: undefined,
  });
});
