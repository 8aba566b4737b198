import { expect, test } from 'vitest';
import { makeWorkload } from '../../../../../../test/support/ui/home/make-workload.ts';
import { SORT_COLUMNS, sortWorkloads } from './sort.ts';

const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);
const event = (at: string) => ({ at, reason: 'Killing', message: '', isWarning: false });

test('equal rows are in the order of their names, whichever way the column is sorted', () => {
  const rows = ['c', 'a', 'b'].map((name) => makeWorkload({ name, restarts: 1 }));
  expect(names(sortWorkloads(rows, 'restarts', false))).toEqual(['a', 'b', 'c']);
  expect(names(sortWorkloads(rows, 'restarts', true))).toEqual(['a', 'b', 'c']);
});

test('numbers are sorted as numbers', () => {
  const rows = [9, 100, 11].map((restarts) => makeWorkload({ name: `r${restarts}`, restarts }));
  expect(names(sortWorkloads(rows, 'restarts', false))).toEqual(['r9', 'r11', 'r100']);
  expect(names(sortWorkloads(rows, 'restarts', true))).toEqual(['r100', 'r11', 'r9']);
});

test('names are sorted as people count', () => {
  const rows = ['s-10', 's-2', 's-02a', 's', 's-1', 'sa'].map((name) => makeWorkload({ name }));
  expect(names(sortWorkloads(rows, 'name', false))).toEqual(['s', 's-1', 's-02a', 's-2', 's-10', 'sa']);
  expect(names(sortWorkloads(rows, 'name', true))).toEqual(['sa', 's-10', 's-2', 's-02a', 's-1', 's']);
});

test('unknown rows come last in both directions', () => {
  const rows = [
    makeWorkload({ name: 'none' }),
    makeWorkload({ name: 'old', lastEvent: event('2026-01-01T00:00:00Z') }),
    makeWorkload({ name: 'new', lastEvent: event('2026-01-02T00:00:00Z') }),
  ];
  expect(names(sortWorkloads(rows, 'event', false))).toEqual(['old', 'new', 'none']);
  expect(names(sortWorkloads(rows, 'event', true))).toEqual(['new', 'old', 'none']);
});

test('pods are sorted by the share that is ready, workloads without pods last', () => {
  const rows = [
    makeWorkload({ name: 'whole', podsReady: 3, podsTotal: 3 }),
    makeWorkload({ name: 'half', podsReady: 2, podsTotal: 4 }),
    makeWorkload({ name: 'empty', podsReady: 0, podsTotal: 0 }),
    makeWorkload({ name: 'down', podsReady: 0, podsTotal: 9 }),
  ];
  expect(names(sortWorkloads(rows, 'pods', false))).toEqual(['down', 'half', 'whole', 'empty']);
});

test('the order depends only on the rows, not on how they came, for every column', () => {
  const rows = ['web', 'db', 'web'].map((name, index) =>
    makeWorkload({ name, id: `${index}`, namespace: `n${index % 2}` }),
  );
  for (const column of SORT_COLUMNS) {
    const one = sortWorkloads(rows, column, false);
    const other = sortWorkloads([...rows].reverse(), column, false);
    expect(other, column).toEqual(one);
  }
});
