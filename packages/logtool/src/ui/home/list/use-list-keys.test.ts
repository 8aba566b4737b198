import { expect, test } from 'vitest';
import { makeWorkload } from '../../../../../../test/support/ui/home/make-workload.ts';
import { showOrder } from './hold-order.ts';
import { readRowKey, targetRow } from './use-list-keys.ts';

const { rows } = showOrder(['a', 'b', 'c'].map((name) => makeWorkload({ name, id: name })));
const plain = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

test('the first key leads to the first row, or to the last', () => {
  expect(targetRow(rows, undefined, 'next')).toBe('a');
  expect(targetRow(rows, undefined, 'previous')).toBe('c');
});

test('the ends of the list hold', () => {
  expect(targetRow(rows, 'c', 'next')).toBe('c');
  expect(targetRow(rows, 'a', 'previous')).toBe('a');
  expect(targetRow(rows, 'a', 'page-down')).toBe('c');
  expect(targetRow([], undefined, 'next')).toBeUndefined();
});

test('keys with Ctrl, Alt or Meta are the browser’s, and names of object members are no keys', () => {
  expect(readRowKey({ ...plain, key: 'x' })).toBe('select');
  expect(readRowKey({ ...plain, key: 'x', ctrlKey: true })).toBeUndefined();
  expect(readRowKey({ ...plain, key: 'constructor' })).toBeUndefined();
});
