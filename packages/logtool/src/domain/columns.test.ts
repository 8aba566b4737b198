import { expect, test } from 'vitest';
import { COLUMN_NAMES, DEFAULT_COLUMNS, parseColumn } from './columns.ts';

test('the allowed columns and the default ones are those of the specification', () => {
  expect(COLUMN_NAMES.join(' ')).toBe('timestamp dot node region zone os arch namespace pod container');
  expect(DEFAULT_COLUMNS).toEqual(['timestamp', 'dot']);
});

test('a column is found in any letter case', () => {
  expect(parseColumn(' Pod')).toBe('pod');
  expect(parseColumn('TIMESTAMP')).toBe('timestamp');
});

test('other names are no columns', () => {
  for (const name of ['', 'message', 'pods', '__proto__', 'constructor'])
    expect(parseColumn(name)).toBeUndefined();
});
