import { expect, test } from 'vitest';
import { makeWorkload } from '../../../../../../test/support/ui/home/make-workload.ts';
import { holdOrder, showOrder } from './hold-order.ts';

const a = makeWorkload({ name: 'a' });
const b = makeWorkload({ name: 'b' });
const c = makeWorkload({ name: 'c' });

test('rows keep their places and show their newest values', () => {
  const newB = { ...b, restarts: 3 };
  const { rows, added, gone } = holdOrder([a, b, c], [newB, c, a]);
  expect(rows.map(({ workload }) => workload)).toEqual([a, newB, c]);
  expect([added, gone]).toEqual([0, 0]);
});

test('a row that is gone keeps its place and says so; a new one is counted and waits', () => {
  const d = makeWorkload({ name: 'aa' });
  const { rows, added, gone } = holdOrder([a, b], [d, a]);
  expect(rows).toEqual([
    { workload: a, isGone: false },
    { workload: b, isGone: true },
  ]);
  expect([added, gone]).toEqual([1, 1]);
});

test('nothing is counted when nothing is held', () => {
  expect(showOrder([a, b])).toMatchObject({ added: 0, gone: 0 });
});
