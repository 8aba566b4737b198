import { expect, test } from 'vitest';
import { RowSlots } from './row-slots.ts';

test('rows keep their slots, and new ones take those that became free', () => {
  const slots = new RowSlots();
  expect([...slots.assign([10, 11, 12])]).toEqual([
    [10, 0],
    [11, 1],
    [12, 2],
  ]);
  const next = slots.assign([11, 12, 13, 14]);
  expect([11, 12, 13, 14].map((entry) => next.get(entry))).toEqual([1, 2, 0, 3]);
  expect(slots.assign([11, 12, 13, 14])).toEqual(next);
  expect(slots.assign([20, 21]).get(21)).toBe(1);
});
