import { expect, test } from 'vitest';
import { ScanSlots } from './scan-slots.ts';

const { signal } = new AbortController();

test('has two slots, and gives each back once', () => {
  const slots = new ScanSlots();
  const [first, second] = [slots.take(signal), slots.take(signal)];
  expect(second).toBeDefined();
  expect(slots.take(signal)).toBeUndefined();
  first?.();
  first?.();
  expect(slots.take(signal)).toBeDefined();
  expect(slots.take(signal)).toBeUndefined();
});

test('takes a slot back from who has left, even before its search began', () => {
  const slots = new ScanSlots(1);
  const left = new AbortController();
  const release = slots.take(left.signal);
  left.abort();
  expect(slots.take(left.signal)).toBeUndefined();
  expect(slots.take(signal)).toBeDefined();
  release?.();
  expect(slots.take(signal)).toBeUndefined();
});
