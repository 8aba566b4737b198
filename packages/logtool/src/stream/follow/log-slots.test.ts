import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { LogSlots, TURN_MS } from './log-slots.ts';

/** Creates named requesters of a connection; a holder releases it when its turn ends. */
function wanting(limit: number) {
  const clock = new FakeClock();
  const slots = new LogSlots(clock, limit);
  const urgent = new Set<string>();
  const order: string[] = [];
  const { signal } = new AbortController();
  const want = async (name: string): Promise<void> => {
    const isUrgent = () => urgent.has(name);
    let turnOver = () => {};
    const over = new Promise<void>((resolve) => {
      turnOver = resolve;
    });
    const slot = await slots.take(turnOver, signal, isUrgent);
    order.push(name);
    await over;
    slot.release();
    await want(name);
  };
  const start = (...names: string[]) => names.forEach((name) => void want(name));
  return { clock, slots, urgent, order, start };
}

test('each has its turn, one after the other', async () => {
  const { clock, order, start } = wanting(2);
  start('a', 'b', 'c', 'd', 'e');
  await clock.advance(2 * TURN_MS);
  expect(order.join('')).toBe('abcdea');
});

test('the only container keeps its connection', async () => {
  const { clock, order, start } = wanting(2);
  start('a', 'b');
  await clock.advance(10 * TURN_MS);
  expect(order).toEqual(['a', 'b']);
});

test('what becomes urgent while it waits takes the place of one that is not, at once', async () => {
  const { clock, slots, urgent, order, start } = wanting(2);
  start('a', 'b', 'c', 'd');
  await clock.advance(10);
  urgent.add('d');
  slots.hurry();
  slots.hurry();
  await clock.advance(10);
  expect(order.join('')).toBe('abd');
});

test('an urgent one keeps its place until something as urgent waits, or until it is no longer urgent', async () => {
  const { clock, slots, urgent, order, start } = wanting(1);
  start('a', 'b', 'c');
  await clock.advance(10);
  urgent.add('b');
  slots.hurry();
  await clock.advance(5 * TURN_MS);
  expect(order.join('')).toBe('ab');
  urgent.add('c');
  slots.hurry();
  await clock.advance(2 * TURN_MS);
  expect(order.join('')).toMatch(/^ab(cb)+c?$/);
  urgent.clear();
  await clock.advance(3 * TURN_MS);
  expect(order.slice(-3).sort()).toEqual(['a', 'b', 'c']);
});
