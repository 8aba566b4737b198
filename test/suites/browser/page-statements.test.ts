import { expect, test } from 'vitest';
import { falseStatements, type PageStatements } from './page-statements.ts';

const LINES = [
  { at: '2026-11-21T10:00:00.000000000Z', text: 'one', level: 'info' },
  { at: '2026-11-21T10:00:05.000000000Z', text: 'two failed', level: 'error' },
];
const TRUE: PageStatements = {
  empty: '',
  onset: 'errors begin 10:00:05',
  connection: 'ended',
  follow: '',
  hits: '1 hit in 10:00:00 to 10:01:00',
  search: '"two"',
  isRegex: false,
};

test('accepts true statements', () => {
  expect(falseStatements(TRUE, { lines: LINES })).toEqual([]);
  expect(
    falseStatements(
      { ...TRUE, hits: '0 hits in 10:00:00 to 10:00:03 of 10:00:00 to 10:01:00' },
      { lines: LINES },
    ),
  ).toEqual([]);
});

test.each([
  ['empty', { empty: 'No lines in this range' }],
  ['empty', { empty: 'No lines match the filters' }],
  ['onset', { onset: 'errors begin 10:00:00' }],
  ['finished', { connection: 'all containers finished' }],
  ['following', { follow: 'Following' }],
  ['hits', { hits: '0 hits in 10:00:00 to 10:01:00' }],
  ['hits', { hits: '2 hits in 10:00:00 to 10:00:03 of 10:00:00 to 10:01:00' }],
] as const)('a false statement about %s is found: %o', (about, planted) => {
  expect(falseStatements({ ...TRUE, ...planted }, { lines: LINES })).toEqual([about]);
});
